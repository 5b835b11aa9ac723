import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

import { status } from '@grpc/grpc-js';
import type { ServerWritableStream, ServiceError } from '@grpc/grpc-js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';

import type { EventLog, LoggedEvent } from './event-log.ts';
import type { Faults } from './faults.ts';
import {
  caughtUpMessage,
  checkpointMessage,
  confirmationMessage,
  consumerTooSlow,
  eventMessage,
  isServiceError,
  notFoundMessage,
  serviceError,
  streamDeleted,
  streamNameOf,
} from './messages.ts';

type Call = ServerWritableStream<ReadReq, ReadResp>;

/** Events per checkpoint of the real server, times the checkpoint interval. */
const SEARCH_WINDOW = 32;
/** Maximum number of events that wait for a subscription that has caught up. */
const LIVE_BUFFER = 32;

/**
 * Handles the call `Read`: a stream or the log, forwards or backwards, once or as a subscription.
 * @throws {ServiceError}
 */
export async function handleRead(log: EventLog, faults: Faults, call: Call, ended: AbortSignal): Promise<void> {
  const options = call.request.getOptions();
  if (options === undefined) throw serviceError(status.INVALID_ARGUMENT, 'No options');
  if (options.hasSubscription()) {
    faults.calls.subscribe += 1;
    await subscribe(log, faults, call, options, ended);
  } else if (options.hasStream()) {
    faults.calls.readStream += 1;
    await readStream(log, call, options);
  } else {
    faults.calls.readAll += 1;
    await readAll(log, faults, call, options);
  }
}

async function readStream(log: EventLog, call: Call, options: ReadReq.Options): Promise<void> {
  const requested = options.getStream();
  const name = streamNameOf(requested?.getStreamIdentifier());
  const events = log.read(name);
  if (events === 'tombstoned') throw streamDeleted(name);
  if (events === undefined) {
    await send(call, notFoundMessage(name));
    return;
  }
  const backwards = isBackwards(options);
  const from =
    requested?.hasRevision() === true ? Number(requested.getRevision()) : requested?.hasEnd() === true ? Infinity : 0;
  const inRange = backwards
    ? events.filter(({ revision }) => revision <= from).reverse()
    : events.filter(({ revision }) => revision >= from);
  for (const event of inRange.slice(0, Number(options.getCount()))) await send(call, eventMessage(event));
}

/** Ignores the filter of a read, as the real server does. */
async function readAll(log: EventLog, faults: Faults, call: Call, options: ReadReq.Options): Promise<void> {
  const backwards = isBackwards(options);
  const count = Number(options.getCount());
  const from = startOf(log, faults, options);
  if (backwards) {
    const end = from === undefined ? 0 : firstIndexAfter(log, from);
    for (let index = end - 1; index >= 0 && end - index <= count; index -= 1) await sendAt(log, faults, call, index);
  } else {
    const start = from === undefined ? 0 : firstIndexAfter(log, from - 1n);
    const end = Math.min(log.all.length, start + count);
    for (let index = start; index < end; index += 1) await sendAt(log, faults, call, index);
  }
}

async function subscribe(
  log: EventLog,
  faults: Faults,
  call: Call,
  options: ReadReq.Options,
  ended: AbortSignal,
): Promise<void> {
  if (!options.hasAll()) throw serviceError(status.UNIMPLEMENTED, 'The stand-in has subscriptions to $all only');
  const from = startOf(log, faults, options);
  const filter = filterOf(options);
  const gone = new AbortController();
  call.once('cancelled', () => gone.abort());
  const over = AbortSignal.any([gone.signal, ended]);
  await send(call, confirmationMessage(randomUUID()));
  // A position after the end is not an error: new events are sent although their positions are lower.
  let index = from === undefined ? 0 : firstIndexAfter(log, from);
  let considered = 0;
  let live = false;
  while (!over.aborted) {
    let droppedAt = Infinity;
    for (; index < log.all.length && !over.aborted && !faults.isSilent; index += 1) {
      if (live && faults.dropsSlowReaders && log.all.length - index > LIVE_BUFFER)
        droppedAt = Math.min(droppedAt, index + LIVE_BUFFER);
      if (index === droppedAt) throw consumerTooSlow();
      const event = log.all[index];
      if (event === undefined) break;
      if (filter.matches(event)) {
        faults.eventsSent += 1;
        await send(call, eventMessage(event));
      }
      considered += 1;
      if (filter.every > 0 && considered % filter.every === 0) await send(call, checkpointAt(log, index, live));
    }
    if (!live && !faults.isSilent) await send(call, caughtUpMessage());
    live = true;
    if ((index === log.all.length || faults.isSilent) && !over.aborted)
      await once(log, 'appended', { signal: over }).catch(() => {});
  }
  if (isServiceError(ended.reason)) throw ended.reason;
}

/**
 * During catch-up, a checkpoint is the position of the next read (prepare 0); live, the position of the last event
 * checked.
 */
function checkpointAt(log: EventLog, index: number, live: boolean): ReadResp {
  const offset = log.all[index]?.offset ?? 0n;
  return live ? checkpointMessage(offset, offset) : checkpointMessage(log.all[index + 1]?.offset ?? log.end, 0n);
}

interface Filter {
  /** Number of events per checkpoint; 0 without a filter. */
  readonly every: number;
  matches(event: LoggedEvent): boolean;
}

function filterOf(options: ReadReq.Options): Filter {
  const filter = options.getFilter();
  if (filter === undefined) return { every: 0, matches: () => true };
  const byType = filter.hasEventType();
  const requested = byType ? filter.getEventType() : filter.getStreamIdentifier();
  const pattern = requested?.getRegex() === '' ? undefined : new RegExp(requested?.getRegex() ?? '');
  const prefixes = requested?.getPrefixList() ?? [];
  const window = filter.hasMax() ? filter.getMax() : SEARCH_WINDOW;
  return {
    every: window * filter.getCheckpointintervalmultiplier(),
    matches: ({ type, stream }) => {
      const text = byType ? type : stream;
      return pattern?.test(text) ?? prefixes.some((prefix) => text.startsWith(prefix));
    },
  };
}

function isBackwards(options: ReadReq.Options): boolean {
  return options.getReadDirection() === streamsPb.ReadReq.Options.ReadDirection.BACKWARDS;
}

/**
 * Returns the start position; undefined for the beginning.
 * @throws {ServiceError} when the position is within a record.
 */
function startOf(log: EventLog, faults: Faults, options: ReadReq.Options): bigint | undefined {
  const all = options.getAll();
  if (all?.hasEnd() === true) return log.end;
  const requested = all?.getPosition();
  if (requested === undefined) return undefined;
  const offset = BigInt(requested.getCommitPosition());
  const event = log.all[firstIndexAfter(log, offset - 1n)];
  if (offset !== 0n && offset < log.end && event?.offset !== offset) {
    faults.misplacedReads += 1;
    throw invalidPosition(faults, options.hasSubscription());
  }
  // Prepare 0 means the position before the record, so that the read includes this record.
  return requested.getPreparePosition() === '0' ? offset - 1n : offset;
}

function invalidPosition({ reportsInvalidPositions }: Faults, isSubscription: boolean): ServiceError {
  if (reportsInvalidPositions) return serviceError(status.INVALID_ARGUMENT, 'Trying to read from an invalid position.');
  return serviceError(status.UNKNOWN, `Unexpected ${isSubscription ? 'Filtered' : ''}ReadAllResult: Error`);
}

/** Returns the index of the first event after a position. */
function firstIndexAfter(log: EventLog, position: bigint): number {
  let low = 0;
  let high = log.all.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((log.all[middle]?.offset ?? 0n) > position) high = middle;
    else low = middle + 1;
  }
  return low;
}

async function sendAt(log: EventLog, faults: Faults, call: Call, index: number): Promise<void> {
  const event = log.all[index];
  if (faults.readPauseMs > 0 && !call.cancelled) await pause(faults.readPauseMs, undefined, { ref: false });
  faults.eventsRead += 1;
  if (event !== undefined) await send(call, eventMessage(event));
}

/** Sends a message; waits while the client does not read. */
async function send(call: Call, message: ReadResp): Promise<void> {
  if (call.cancelled || call.destroyed) return;
  if (call.write(message)) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      call.off('drain', done);
      call.off('cancelled', done);
      call.off('close', done);
      resolve();
    };
    call.on('drain', done);
    call.on('cancelled', done);
    call.on('close', done);
  });
}
