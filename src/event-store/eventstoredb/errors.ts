import {
  AccessDeniedError,
  MaxAppendSizeExceededError,
  NotLeaderError,
  StreamDeletedError,
} from '@eventstore/db-client';

import { StoreUnavailable } from '../event-store.ts';

/** Whatever the server did not expect. */
const UNKNOWN = 2;
const INVALID_ARGUMENT = 3;
/** What a call ends with whose server is being stopped. */
const INTERNAL = 13;
const UNAVAILABLE = 14;

/** Somebody deleted a stream for good, by hand: EventStoreDB takes no more events for it. No retry helps. */
export class StreamTombstoned extends Error {
  override readonly name = 'StreamTombstoned';
  constructor(stream: string) {
    super(`${stream} was deleted for good in EventStoreDB`);
  }
}

/**
 * The call did not reach the server, or its answer did not come back, or another server is to be asked: another try, on a new
 * connection, may go well at once. Often an `Error` that is none of the client's own.
 */
export function isLostConnection(error: unknown): boolean {
  const code = codeOf(error);
  return code === UNAVAILABLE || code === INTERNAL || error instanceof NotLeaderError;
}

/** An error like that of a call whose connection was lost, for one that could not even begin. */
export function lostConnection(cause: unknown): Error {
  return Object.assign(new Error('The connection to EventStoreDB is closed', { cause }), { code: UNAVAILABLE });
}

/**
 * How a server without a code for it reports a position within a record. The code was seen on 23.10; the texts are from the
 * source of the server: of a read, of a subscription, of either in some versions.
 */
const noRecordThere = /Unexpected (Filtered)?ReadAllResult: Error|invalid position|Exception was thrown by handler/i;

/** The position of a read lies within a record, so it belongs to another log, or is the place before an event. */
export function isNoRecordThere(error: unknown): boolean {
  const code = codeOf(error);
  return code === INVALID_ARGUMENT || (code === UNKNOWN && noRecordThere.test((error as Error).message));
}

/** The error of a call whose end is clear: it changed nothing, and would change nothing if it were made again. */
export function definiteError(error: unknown, stream: string): Error | undefined {
  if (error instanceof StreamDeletedError) return new StreamTombstoned(stream);
  // Not so gRPC's RESOURCE_EXHAUSTED: it also stands for a stream that was reset to calm the client, when all may be written.
  if (error instanceof MaxAppendSizeExceededError) {
    return new TypeError(`An append to ${stream} is too large for EventStoreDB`, { cause: error });
  }
  if (error instanceof AccessDeniedError) return unavailable('EventStoreDB refuses the credentials', error);
  return undefined;
}

/** Error for the case that EventStoreDB did not answer, or answered that it is not ready. */
export function unavailable(what: string, cause?: unknown): StoreUnavailable {
  return new StoreUnavailable(what, { cause, store: 'EventStoreDB' });
}

function codeOf(error: unknown): number | undefined {
  const code = error instanceof Error ? (error as { readonly code?: unknown }).code : undefined;
  return typeof code === 'number' ? code : undefined;
}
