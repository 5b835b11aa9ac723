import {
  AccessDeniedError,
  MaxAppendSizeExceededError,
  NotLeaderError,
  StreamDeletedError,
  UnavailableError,
} from '@eventstore/db-client';
import { StoreUnavailable } from '../../shared/store-unavailable.ts';
import { tlsFailure } from '../../shared/tls-failure.ts';

// Status codes of gRPC. UNKNOWN: an error that the server did not foresee. INTERNAL: also the end of a call on a server
// that is being stopped.
const UNKNOWN = 2;
const INVALID_ARGUMENT = 3;
const INTERNAL = 13;
const UNAVAILABLE = 14;

/** A stream was tombstoned by hand: EventStoreDB accepts no more events for it. A retry fails the same way. */
class StreamTombstoned extends Error {
  override readonly name = 'StreamTombstoned';
  constructor(stream: string) {
    super(`${stream} is tombstoned in EventStoreDB`);
  }
}

/**
 * Returns whether a retry on a new connection may succeed at once: the request or its response was lost, or another
 * node is the leader. Such an error is often a plain `Error`, none of the client's classes.
 */
export function isLostConnection(error: unknown): boolean {
  const code = codeOf(error);
  if (error instanceof UnavailableError || error instanceof NotLeaderError) return true;
  return code === UNAVAILABLE || code === INTERNAL;
}

/**
 * Messages for a position that is not the start of a record, from servers without a status code for it. The code was
 * observed on 23.10; the messages are from the server's source: for reads, for subscriptions, and for both in some
 * versions.
 */
const invalidPosition = /Unexpected (Filtered)?ReadAllResult: Error|invalid position|Exception was thrown by handler/i;

/** Returns whether the position of a read is not the start of a record, for example because it is from another log. */
export function isInvalidPosition(error: unknown): boolean {
  const code = codeOf(error);
  return code === INVALID_ARGUMENT || (code === UNKNOWN && invalidPosition.test((error as Error).message));
}

/**
 * Returns the error of a call that had no effect and would fail again; undefined when the outcome is unknown or a retry
 * may help.
 */
export function definiteError(error: unknown, stream: string): Error | undefined {
  if (error instanceof StreamDeletedError) return new StreamTombstoned(stream);
  // RESOURCE_EXHAUSTED is not definite: it also reports a stream that was reset for flow control, after which all may
  // be written.
  if (error instanceof MaxAppendSizeExceededError) {
    return new TypeError(`An append to ${stream} is too large for EventStoreDB`, { cause: error });
  }
  // Reported for a wrong password, too.
  if (error instanceof AccessDeniedError)
    return unavailable(
      `EventStoreDB denies access to ${stream}: its user or password is wrong, or lacks the right`,
      error,
    );
  return undefined;
}

/** Creates the error for an EventStoreDB that does not answer or is not ready. */
export function unavailable(what: string, cause?: unknown): StoreUnavailable {
  const failure = tlsFailure(cause);
  return new StoreUnavailable(failure === undefined ? what : `${what}: ${failure}`, { cause, store: 'EventStoreDB' });
}

function codeOf(error: unknown): number | undefined {
  const code = error instanceof Error ? (error as { readonly code?: unknown }).code : undefined;
  return typeof code === 'number' ? code : undefined;
}
