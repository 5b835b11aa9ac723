import { Metadata, status } from '@grpc/grpc-js';
import type { ServiceError } from '@grpc/grpc-js';
import gossipPb from '@eventstore/db-client/generated/gossip_pb.js';
import type { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import featuresPb from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import type { StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import type { AppendReq, AppendResp, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { parse, stringify } from 'uuid';

import type { ReadFault, SubscriptionEnd } from './faults.ts';
import type { ExpectedRevision, LoggedEvent, NewEvent, AppendOutcome } from './event-log.ts';

export function streamNameOf(identifier: StreamIdentifier | undefined): string {
  return Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8');
}

function identifierOf(stream: string): StreamIdentifier {
  return new sharedPb.StreamIdentifier().setStreamName(Uint8Array.from(Buffer.from(stream, 'utf8')));
}

export function expectedOf(options: AppendReq.Options): ExpectedRevision {
  if (options.hasNoStream()) return 'no_stream';
  if (options.hasAny()) return 'any';
  if (options.hasStreamExists()) return 'stream_exists';
  return BigInt(options.getRevision());
}

/** @throws {ServiceError} when the id is no UUID. */
export function newEventOf(message: AppendReq.ProposedMessage): NewEvent {
  const described = message.getMetadataMap();
  return {
    id: uuidOf(message.getId()),
    type: described.get('type') ?? '',
    contentType: described.get('content-type') ?? 'application/octet-stream',
    data: message.getData_asB64(),
    metadata: message.getCustomMetadata_asB64(),
  };
}

function uuidOf(id: UUID | undefined): string {
  try {
    return stringify(parse(id?.getString() ?? ''));
  } catch {
    throw serviceError(status.INVALID_ARGUMENT, 'Could not recognize BadRequest');
  }
}

/** Returns the size that counts against the maximum append size. */
export function sizeOnDisk({ type, data, metadata }: NewEvent): number {
  return Buffer.byteLength(data, 'base64') + Buffer.byteLength(metadata, 'base64') + 2 * type.length;
}

/** Builds the response to an append. @throws {ServiceError} */
export function appendResponse(
  stream: string,
  expected: ExpectedRevision,
  verdict: Exclude<AppendOutcome, { kind: 'dropped' }>,
  includesPosition: boolean,
): AppendResp {
  const response = new streamsPb.AppendResp();
  if (verdict.kind === 'tombstoned') throw streamDeleted(stream);
  if (verdict.kind === 'wrong') return response.setWrongExpectedVersion(wrongExpectedVersion(expected, verdict.actual));
  const success = new streamsPb.AppendResp.Success().setCurrentRevision(String(verdict.revision));
  if (includesPosition) {
    const offset = verdict.position.toString();
    success.setPosition(new streamsPb.AppendResp.Position().setCommitPosition(offset).setPreparePosition(offset));
  } else {
    success.setNoPosition(new sharedPb.Empty());
  }
  return response.setSuccess(success);
}

function wrongExpectedVersion(expected: ExpectedRevision, actual: number | undefined): AppendResp.WrongExpectedVersion {
  const wrong = new streamsPb.AppendResp.WrongExpectedVersion();
  if (actual === undefined) wrong.setCurrentNoStream(new sharedPb.Empty());
  else wrong.setCurrentRevision(String(actual));
  if (expected === 'no_stream') wrong.setExpectedNoStream(new sharedPb.Empty());
  else if (expected === 'any') wrong.setExpectedAny(new sharedPb.Empty());
  else if (expected === 'stream_exists') wrong.setExpectedStreamExists(new sharedPb.Empty());
  else wrong.setExpectedRevision(expected.toString());
  return wrong;
}

export function eventMessage(event: LoggedEvent): ReadResp {
  const recorded = new streamsPb.ReadResp.ReadEvent.RecordedEvent()
    .setId(new sharedPb.UUID().setString(event.id))
    .setStreamIdentifier(identifierOf(event.stream))
    .setStreamRevision(String(event.revision))
    .setCommitPosition(event.position)
    .setPreparePosition(event.position)
    .setData(event.data)
    .setCustomMetadata(event.metadata);
  const described = recorded.getMetadataMap();
  described.set('type', event.type);
  described.set('content-type', event.contentType);
  described.set('created', event.created);
  const read = new streamsPb.ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(event.position);
  return new streamsPb.ReadResp().setEvent(read);
}

export function notFoundMessage(stream: string): ReadResp {
  const missing = new streamsPb.ReadResp.StreamNotFound().setStreamIdentifier(identifierOf(stream));
  return new streamsPb.ReadResp().setStreamNotFound(missing);
}

export function confirmationMessage(id: string): ReadResp {
  const confirmation = new streamsPb.ReadResp.SubscriptionConfirmation().setSubscriptionId(id);
  return new streamsPb.ReadResp().setConfirmation(confirmation);
}

export function checkpointMessage(commit: bigint, prepare: bigint): ReadResp {
  const checkpoint = new streamsPb.ReadResp.Checkpoint()
    .setCommitPosition(commit.toString())
    .setPreparePosition(prepare.toString());
  return new streamsPb.ReadResp().setCheckpoint(checkpoint);
}

export function caughtUpMessage(): ReadResp {
  return new streamsPb.ReadResp().setCaughtUp(new streamsPb.ReadResp.CaughtUp());
}

/** A node of a cluster, at a port of 127.0.0.1. */
export interface Member {
  readonly port: number;
  readonly isLeader: boolean;
  readonly isAlive: boolean;
}

/** Describes a cluster as a node does in gossip. */
export function clusterOf(members: readonly Member[]): ClusterInfo {
  const { LEADER, FOLLOWER } = gossipPb.MemberInfo.VNodeState;
  const described = members.map(({ port, isLeader, isAlive }) =>
    new gossipPb.MemberInfo()
      .setIsAlive(isAlive)
      .setState(isLeader ? LEADER : FOLLOWER)
      .setHttpEndPoint(new gossipPb.EndPoint().setAddress('127.0.0.1').setPort(port)),
  );
  return new gossipPb.ClusterInfo().setMembersList(described);
}

export function batchAppendSupport(): SupportedMethods {
  const batchAppend = new featuresPb.SupportedMethod()
    .setServiceName('event_store.client.streams.streams')
    .setMethodName('batchappend');
  return new featuresPb.SupportedMethods().setMethodsList([batchAppend]);
}

/** Builds a gRPC error; the client maps `exception` and the other trailers to its errors. */
export function serviceError(
  code: status,
  details: string,
  trailers: Readonly<Record<string, string>> = {},
): ServiceError {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value);
  return Object.assign(new Error(details), { name: 'ServiceError', code, details, metadata });
}

export function isServiceError(reason: unknown): reason is ServiceError {
  return reason instanceof Error && reason.name === 'ServiceError';
}

export function streamDeleted(stream: string): ServiceError {
  const trailers = { exception: 'stream-deleted', 'stream-name': stream };
  return serviceError(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, trailers);
}

export function tooLarge(largestAppend: number): ServiceError {
  const trailers = { exception: 'maximum-append-size-exceeded', 'maximum-append-size': String(largestAppend) };
  return serviceError(status.INVALID_ARGUMENT, `Maximum Append Size of ${largestAppend} Exceeded.`, trailers);
}

export function notReady(): ServiceError {
  return serviceError(status.UNAVAILABLE, 'Server Is Not Ready');
}

/** The gRPC error for an HTTP/2 stream reset with ENHANCE_YOUR_CALM. */
export function exhausted(): ServiceError {
  return serviceError(status.RESOURCE_EXHAUSTED, 'Bandwidth exhausted or memory limit exceeded');
}

/** Builds the error of a read. @param port port of the leader, the stand-in itself */
export function readRefusal(fault: ReadFault, port: number): ServiceError {
  const leader = { exception: 'not-leader', 'leader-endpoint-host': '127.0.0.1', 'leader-endpoint-port': String(port) };
  const refusals = {
    too_busy: () => serviceError(status.UNAVAILABLE, 'Server Is Too Busy'),
    not_leader: () => serviceError(status.NOT_FOUND, 'Leader info available', leader),
    no_leader: () => serviceError(status.UNKNOWN, 'No leader info available in response'),
    internal: shuttingDown,
    exhausted,
    handler: () => serviceError(status.UNKNOWN, 'Exception was thrown by handler.'),
  };
  return refusals[fault]();
}

/** The gRPC error for a stream whose server is shutting down. */
function shuttingDown(): ServiceError {
  return serviceError(status.INTERNAL, 'Received RST_STREAM with code 2');
}

/** Builds the error that ends a subscription; undefined for a clean end. */
export function subscriptionError(end: SubscriptionEnd): ServiceError | undefined {
  if (end === 'internal') return shuttingDown();
  return end === 'too_slow' ? consumerTooSlow() : undefined;
}

export function consumerTooSlow(): ServiceError {
  const why = 'Consumer too slow to handle event while live. Client resubscription required.';
  return serviceError(status.ABORTED, `Operation timed out: ${why}`);
}

export function timedOut(): ServiceError {
  return serviceError(status.ABORTED, 'Operation timed out');
}
