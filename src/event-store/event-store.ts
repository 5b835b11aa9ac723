/** A place in the global log. Positions grow; between two of them there may be gaps. On the wire: decimal digits. */
export type Position = bigint;

/** The last revision a writer has seen in the stream, or `no_stream` when it must not exist yet. */
export type ExpectedRevision = number | 'no_stream';

/** An event as it is handed in. `data` and `metadata` are plain JSON values. */
export interface EventToAppend {
  readonly id: string;
  readonly type: string;
  readonly data: unknown;
  readonly metadata: unknown;
}

/** The most that one append may hold, by `bytesOf`: what EventStoreDB takes, and every other store no more either. */
export const MOST_BYTES_OF_APPEND = 1024 * 1024;

/** The size of an event as EventStoreDB counts it: JSON in UTF-8, and two bytes for each character of the type. */
export function bytesOf({ type, data, metadata }: Omit<EventToAppend, 'id'>): number {
  return utf8BytesOf(data) + utf8BytesOf(metadata) + 2 * type.length;
}

function utf8BytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}

/**
 * An event as it is stored. `data` and `metadata` are whatever JSON was stored; text that is not JSON arrives as a string,
 * so nothing may be read from them before they went through their schema (`src/event-sourcing/codec.ts`).
 */
export interface StoredEvent {
  readonly id: string;
  readonly stream: string;
  /** Place in the stream, from 0. */
  readonly revision: number;
  readonly position: Position;
  readonly type: string;
  readonly data: unknown;
  readonly metadata: unknown;
}

export interface AppendResult {
  /** Revision of the last event of the append. */
  readonly revision: number;
  /** Position of the last event of the append. */
  readonly position: Position;
}

/** What a subscription delivers, in order of position. */
export type SubscriptionMessage =
  | { readonly kind: 'events'; readonly events: readonly StoredEvent[] }
  /** Everything up to `position` was considered, whether or not it was of interest. */
  | { readonly kind: 'caught_up'; readonly position: Position };

export interface SubscribeOptions {
  /** Exclusive, the position of an event; undefined reads from the beginning of the log. */
  readonly after: Position | undefined;
  /** The most events in one message. */
  readonly batch: number;
  readonly signal: AbortSignal;
}

/**
 * The append-only log: the only record of what happened.
 *
 * Guarantees, checked by `test/ports/event-store.suite.ts` for every adapter:
 * - an append that was answered is durable, whole and in one stream; one that was refused left nothing;
 * - of several appends at the same expected revision exactly one is written;
 * - the same ids again at the same expected revision (the whole batch, or a prefix of it) change nothing and are answered
 *   like the first time. Nothing more is promised: the data handed in then may differ from what is stored;
 * - `readAll` and `subscribe` give every event once, by rising position, and never one that could still vanish.
 *
 * Every call throws StoreUnavailable when the store does not answer in the time that its adapter gives it (EventStoreDB: 5 s for an
 * append with all its tries, 3 s without a sign for a read), and after `close`, when subscriptions end. An adapter may throw another error for what somebody
 * did to the store by hand, which no retry mends: EventStoreDB's `StreamTombstoned`, for a stream that was deleted for good.
 */
export interface EventStore {
  /**
   * @throws {WrongExpectedRevision} when the stream is elsewhere; nothing was written, and what is there can be read.
   * @throws {StoreUnavailable} when the outcome is unknown or the store cannot write. Retry with the same ids and revision.
   * @throws {TypeError} the caller's mistake: no event, an id that is no UUID, no JSON, or more than `MOST_BYTES_OF_APPEND`
   */
  append(stream: string, expected: ExpectedRevision, events: readonly EventToAppend[]): Promise<AppendResult>;

  /** The events of a stream from revision `from` (default 0), oldest first; empty when there is no such stream. */
  readStream(stream: string, options?: { from?: number; limit?: number }): Promise<readonly StoredEvent[]>;

  /** The newest event of a stream. */
  readLast(stream: string): Promise<StoredEvent | undefined>;

  /** Reads the event at exactly this position; undefined when the log has no event there. */
  readAt(position: Position): Promise<StoredEvent | undefined>;

  /** Reads at most `limit` events after `after` (exclusive, the position of an event; undefined: from the beginning), by position. */
  readAll(options: { after: Position | undefined; limit: number }): Promise<readonly StoredEvent[]>;

  /** Position of the newest event; undefined on an empty log. */
  lastPosition(): Promise<Position | undefined>;

  /**
   * Catches up from `after`, then stays live, until the signal aborts (it then ends without an error).
   * After every catch-up, and when no events are left, it emits `caught_up` with the position it has considered, once for each position.
   * @throws {StoreUnavailable} when the store is lost; the reader subscribes again from what it has processed.
   */
  subscribe(options: SubscribeOptions): AsyncIterable<SubscriptionMessage>;

  /** Resolves when the store answers. @throws {StoreUnavailable} */
  ping(): Promise<void>;

  close(): Promise<void>;
}

/** The stream is not where the writer thought it was. `actual` is undefined when it does not exist. */
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

/** A server, or SQLite for all embedded stores. */
export type StoreName = 'EventStoreDB' | 'MongoDB' | 'SQLite';

/** A store cannot answer now: down, disk full, or the outcome of a write is unknown. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  /** The store that does not answer; undefined when the request failed for another reason. */
  readonly store: StoreName | undefined;
  constructor(message: string, { store, ...options }: ErrorOptions & { readonly store?: StoreName } = {}) {
    super(message, options);
    this.store = store;
  }
}
