import type { RawEvent } from '#event-sourcing/codec.ts';

/** Position in the global log. Positions increase, with gaps. On the wire: decimal digits. */
export type Position = bigint;

/**
 * Revision of the last event that the writer has read from the stream, or `no_stream` when the stream must not exist.
 */
export type ExpectedRevision = number | 'no_stream';

/** Event to append. `data` and `metadata` are plain JSON values. */
export interface EventToAppend {
  readonly id: string;
  readonly type: string;
  readonly data: unknown;
  readonly metadata: unknown;
  /** Both as JSON, where the caller has them, so that the store does not serialise them again. */
  readonly json?: { readonly data: string; readonly metadata: string };
}

/**
 * Maximum size of one append, by `bytesOf`. It is the limit of EventStoreDB up to 24.10, and every store applies it,
 * also on a server that accepts more.
 */
export const MAX_APPEND_BYTES = 1024 * 1024;

/**
 * Returns the size of an event, or of a part of it, as EventStoreDB counts it: JSON in UTF-8, and two bytes for each
 * character of the type.
 */
export function bytesOf({ type, data, metadata }: Partial<Pick<EventToAppend, 'type' | 'data' | 'metadata'>>): number {
  return bytesOfJson({ type, data: JSON.stringify(data), metadata: JSON.stringify(metadata) });
}

/** As `bytesOf`, of data and metadata that are JSON. */
export function bytesOfJson({
  type = '',
  data = '',
  metadata = '',
}: Partial<Record<'type' | 'data' | 'metadata', string | undefined>>): number {
  return Buffer.byteLength(data) + Buffer.byteLength(metadata) + 2 * type.length;
}

/**
 * Stored event. `data` and `metadata` are unvalidated JSON, or a string where the stored text is not JSON: parse them
 * with their schema before use (`src/event-sourcing/codec.ts`).
 */
export type StoredEvent = RawEvent;

export interface Append {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly EventToAppend[];
}

export interface AppendResult {
  readonly revision: number;
  readonly position: Position;
  /**
   * The events as they are stored; undefined when this call did not write them, or the store does not know whether it
   * did.
   */
  readonly events?: readonly StoredEvent[] | undefined;
}

/** @throws {StoreUnavailable} when the batch is not stored; then no later one is either */
export type CommitBatch = () => Promise<void>;

export type SubscriptionMessage =
  | { readonly kind: 'events'; readonly events: readonly StoredEvent[] }
  /** The subscription has delivered every event up to `position`. */
  | { readonly kind: 'caught_up'; readonly position: Position };

export interface SubscribeOptions {
  /** Exclusive, the position of an event; undefined subscribes from the start of the log. */
  readonly after: Position | undefined;
  readonly batch: number;
  readonly signal: AbortSignal;
}

/**
 * Port of the append-only event log.
 *
 * Guarantees, checked by `test/ports/event-store.suite.ts` for every adapter:
 * - a successful append is durable and atomic, in one stream; a refused append writes nothing;
 * - of several appends at the same expected revision exactly one is written;
 * - an append is idempotent by its event ids: the same ids at the same expected revision (all of them, or a prefix)
 * write nothing and return the first result. The data is not compared;
 * - `readAll` and `subscribe` return every event once, in order of position, and only durable events.
 *
 * Every call throws StoreUnavailable when the store does not answer within the time limit of the adapter (EventStoreDB:
 * 5 s for an append with its retries, 3 s without data for a read), and after `close`, which also ends subscriptions.
 * An adapter may throw another error for a manual change of the store that no retry repairs: EventStoreDB's
 * `StreamTombstoned`, for a tombstoned stream.
 */
export interface EventStore {
  /**
   * Appends to one or several streams in order, for less than one call each. Each append stands alone: after the first
   * one that is refused the others are not written, and those before it are.
   * @throws {WrongExpectedRevision} when the stream is at another revision; nothing of this append was written, and
   * that revision can be read.
   * @throws {StoreUnavailable} when the outcome is unknown or the store cannot write. Retry with the same ids and
   * revision.
   * @throws {TypeError} for a programming error: no event, an id that is not a UUID, data that is not JSON, or more
   * than `MAX_APPEND_BYTES`
   */
  append(appends: readonly Append[]): Promise<readonly AppendResult[]>;

  /**
   * Runs work whose appends are committed by `commit`: all since its last call, or none. Until then only this store
   * reads them, and at the end of the work they are undone. Meanwhile nothing else may append or subscribe. A store
   * that other processes append to does not have it.
   */
  inBatches?<T>(work: (commit: CommitBatch) => Promise<T>): Promise<T>;

  /**
   * Reads the events of a stream from revision `from` (default 0), oldest first; empty when the stream does not exist.
   * With `until`, the position of an append to the stream, later events may be missing: a store may take the events
   * from its subscriptions. With `maxCharacters`, so may the events after the one with which the JSON has that many: a
   * store that has the whole result in memory ends it there.
   */
  readStream(
    stream: string,
    options?: {
      from?: number | undefined;
      limit?: number;
      until?: Position | undefined;
      maxCharacters?: number;
    },
  ): Promise<readonly StoredEvent[]>;

  readLast(stream: string): Promise<StoredEvent | undefined>;

  readAt(position: Position): Promise<StoredEvent | undefined>;

  /**
   * Reads at most `limit` events after `after` (exclusive, the position of an event; undefined: from the start), in
   * order of position.
   */
  readAll(options: { after: Position | undefined; limit: number }): Promise<readonly StoredEvent[]>;

  lastPosition(): Promise<Position | undefined>;

  /**
   * Catches up from `after`, then stays live, until the signal aborts (it then ends without an error).
   * Emits `caught_up` once for each position at which no more events are available.
   * @throws {StoreUnavailable} when the store does not answer; subscribe again from the last processed position.
   */
  subscribe(options: SubscribeOptions): AsyncIterable<SubscriptionMessage>;

  ping(): Promise<void>;

  close(): Promise<void>;
}

export async function appendTo(
  store: Pick<EventStore, 'append'>,
  stream: string,
  expected: ExpectedRevision,
  events: readonly EventToAppend[],
): Promise<AppendResult> {
  const [result] = await store.append([{ stream, expected, events }]);
  if (result === undefined) throw new Error(`the append to ${stream} has no result`);
  return result;
}

/** The stream is at another revision than expected. `actual` is undefined when the stream does not exist. */
export class WrongExpectedRevision extends Error {
  override readonly name = 'WrongExpectedRevision';
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly actual: number | undefined;
  constructor(stream: string, expected: ExpectedRevision, actual: number | undefined) {
    super(`${stream} is at ${actual ?? 'no stream'}, expected ${expected}`);
    this.stream = stream;
    this.expected = expected;
    this.actual = actual;
  }
}
