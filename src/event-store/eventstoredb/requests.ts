import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import type { StreamIdentifier } from '@eventstore/db-client/generated/shared_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import type { AppendReq, ReadReq } from '@eventstore/db-client/generated/streams_pb.js';

import { toJson } from '../check-append.ts';
import { MAX_APPEND_BYTES } from '../event-store.ts';
import type { EventToAppend, ExpectedRevision, Position } from '../event-store.ts';

export type Direction = 'forwards' | 'backwards';

/** An append request. Its content never changes, however often it is sent. */
export interface AppendRequest {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly from: number;
  readonly ids: readonly string[];
  readonly messages: readonly AppendReq[];
}

interface EventBytes {
  readonly event: EventToAppend;
  readonly data: Buffer;
  readonly metadata: Buffer;
}

/** Creates an append request. @throws {TypeError} when data or metadata are not JSON, or the append is too large */
export function appendRequest(
  stream: string,
  expected: ExpectedRevision,
  events: readonly EventToAppend[],
): AppendRequest {
  const bytes = events.map((event) => ({
    data: Buffer.from(toJson(event.data, event)),
    metadata: Buffer.from(toJson(event.metadata, event)),
    event,
  }));
  const size = bytes.reduce(
    (sum, { data, metadata, event }) => sum + data.length + metadata.length + 2 * event.type.length,
    0,
  );
  // Checked here, because the server's error for it can also mean that the server is busy.
  if (size > MAX_APPEND_BYTES) throw new TypeError(`An append to ${stream} is too large: ${size} bytes`);
  const options = new streamsPb.AppendReq.Options().setStreamIdentifier(identifier(stream));
  if (expected === 'no_stream') options.setNoStream(new sharedPb.Empty());
  else options.setRevision(String(expected));
  return {
    stream,
    expected,
    from: expected === 'no_stream' ? 0 : expected + 1,
    ids: events.map(({ id }) => id.toLowerCase()),
    messages: [new streamsPb.AppendReq().setOptions(options), ...bytes.map(toMessage)],
  };
}

function toMessage({ event, data, metadata }: EventBytes): AppendReq {
  const message = new streamsPb.AppendReq.ProposedMessage()
    .setId(new sharedPb.UUID().setString(event.id.toLowerCase()))
    .setData(data)
    .setCustomMetadata(metadata);
  message.getMetadataMap().set('type', event.type).set('content-type', 'application/json');
  return new streamsPb.AppendReq().setProposedMessage(message);
}

/** Requests events of a stream from a revision, oldest first, or from its end, newest first. */
export function streamReadRequest(stream: string, from: number | 'end', count: number): ReadReq {
  const part = new streamsPb.ReadReq.Options.StreamOptions().setStreamIdentifier(identifier(stream));
  if (from === 'end') part.setEnd(new sharedPb.Empty());
  else part.setRevision(String(from));
  const options = new streamsPb.ReadReq.Options().setStream(part);
  return readRequest(options, from === 'end' ? 'backwards' : 'forwards', count);
}

/** Requests records of the log, including system events. */
export function logReadRequest(from: 'start' | 'end' | Position, direction: Direction, count: number): ReadReq {
  const part = new streamsPb.ReadReq.Options.AllOptions();
  if (from === 'start') part.setStart(new sharedPb.Empty());
  else if (from === 'end') part.setEnd(new sharedPb.Empty());
  else part.setPosition(positionOf(from));
  return readRequest(new streamsPb.ReadReq.Options().setAll(part), direction, count);
}

/** Requests a subscription to application events after a position; undefined: from the start of the log. */
export function subscriptionRequest(position: Position | undefined): ReadReq {
  const part = new streamsPb.ReadReq.Options.AllOptions();
  if (position === undefined) part.setStart(new sharedPb.Empty());
  else part.setPosition(positionOf(position));
  const { FilterOptions } = streamsPb.ReadReq.Options;
  const filter = new FilterOptions()
    .setEventType(new FilterOptions.Expression().setRegex('^[^$].*'))
    .setCount(new sharedPb.Empty())
    .setCheckpointintervalmultiplier(1);
  const subscription = new streamsPb.ReadReq.Options.SubscriptionOptions();
  return withCommonOptions(
    new streamsPb.ReadReq.Options().setAll(part).setSubscription(subscription).setFilter(filter),
  );
}

function readRequest(options: ReadReq.Options, direction: Direction, count: number): ReadReq {
  const { FORWARDS, BACKWARDS } = streamsPb.ReadReq.Options.ReadDirection;
  options
    .setReadDirection(direction === 'backwards' ? BACKWARDS : FORWARDS)
    .setCount(String(count))
    .setNoFilter(new sharedPb.Empty());
  return withCommonOptions(options);
}

function withCommonOptions(options: ReadReq.Options): ReadReq {
  const uuids = new streamsPb.ReadReq.Options.UUIDOption().setString(new sharedPb.Empty());
  return new streamsPb.ReadReq().setOptions(options.setResolveLinks(false).setUuidOption(uuids));
}

function positionOf(commit: Position): ReadReq.Options.Position {
  return new streamsPb.ReadReq.Options.Position().setCommitPosition(String(commit)).setPreparePosition(String(commit));
}

function identifier(stream: string): StreamIdentifier {
  return new sharedPb.StreamIdentifier().setStreamName(Buffer.from(stream));
}
