import {
  type Append,
  type AppendResult,
  bytesOf,
  type EventStore,
  type EventToAppend,
  MAX_APPEND_BYTES,
  type Position,
  type StoredEvent,
  type SubscribeOptions,
  type SubscriptionMessage,
  WrongExpectedRevision,
} from '#stores/event-log/event-log.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';

/** Called before the expected revision is checked: may append a concurrent event, or throw in place of the append. */
export type BeforeAppend = (stream: string, events: readonly EventToAppend[]) => void | Promise<void>;

/** The event store in memory, with a hook for concurrent appends and faults. */
export class MemoryEventStore implements EventStore {
  beforeAppend: BeforeAppend = () => {};
  readonly #log: StoredEvent[];
  readonly #streams: Map<string, StoredEvent[]>;
  #woken = Promise.withResolvers<void>();
  #closed = false;

  /** Creates an empty store, or one with the log of another store, as after a restart. */
  constructor(before?: MemoryEventStore) {
    this.#log = before === undefined ? [] : before.#log;
    this.#streams = before === undefined ? new Map<string, StoredEvent[]>() : before.#streams;
  }

  /** Puts an event in the place of a stored one, as a damaged disk does. */
  replace(event: StoredEvent): void {
    this.#log[Number(event.position) - 1] = event;
    this.#streams.get(event.stream)?.splice(event.revision, 1, event);
  }

  async append(appends: readonly Append[]): Promise<readonly AppendResult[]> {
    const results: AppendResult[] = [];
    for (const each of appends) results.push(await this.#append(each));
    return results;
  }

  async #append({ stream, expected, events }: Append): Promise<AppendResult> {
    checkAppend(stream, events);
    const kept = events.map(({ id, type, data, metadata }) => ({ id, type, data, metadata }));
    const plain = JSON.parse(JSON.stringify(kept)) as EventToAppend[];
    await this.beforeAppend(stream, events);
    if (this.#closed) throw new StoreUnavailable('the store is closed');
    const stored = this.#streams.get(stream) ?? [];
    const from = expected === 'no_stream' ? 0 : expected + 1;
    const repeated = stored.slice(from, from + events.length);
    const isRepeat = repeated.length === events.length && repeated.every(({ id }, index) => id === events[index]?.id);
    const last = isRepeat ? repeated.at(-1) : undefined;
    if (last !== undefined) return { revision: last.revision, position: last.position };
    if (stored.length !== from) {
      throw new WrongExpectedRevision(stream, expected, stored.length === 0 ? undefined : stored.length - 1);
    }
    for (const event of plain) {
      const newEvent = { ...event, stream, revision: stored.length, position: BigInt(this.#log.length + 1) };
      stored.push(newEvent);
      this.#log.push(newEvent);
    }
    this.#streams.set(stream, stored);
    this.#wake();
    return { revision: stored.length - 1, position: BigInt(this.#log.length) };
  }

  async readStream(stream: string, { from = 0, limit = Number.POSITIVE_INFINITY } = {}): Promise<StoredEvent[]> {
    return (this.#streams.get(stream) ?? []).slice(from, from + limit);
  }

  async readLast(stream: string): Promise<StoredEvent | undefined> {
    return this.#streams.get(stream)?.at(-1);
  }

  async readAt(position: Position): Promise<StoredEvent | undefined> {
    return this.#log[Number(position) - 1];
  }

  async readAll({ after, limit }: { after: Position | undefined; limit: number }): Promise<StoredEvent[]> {
    const from = Number(after ?? 0n);
    return this.#log.slice(from, from + limit);
  }

  async lastPosition(): Promise<Position | undefined> {
    return this.#log.at(-1)?.position;
  }

  async *subscribe({ after, batch, signal }: SubscribeOptions): AsyncGenerator<SubscriptionMessage> {
    const aborted = Promise.withResolvers<void>();
    signal.addEventListener('abort', () => aborted.resolve(), { once: true });
    for (let position = after; !signal.aborted && !this.#closed; ) {
      const woken = this.#woken.promise;
      const events = await this.readAll({ after: position, limit: batch });
      position = events.at(-1)?.position ?? position;
      if (events.length > 0) {
        yield { kind: 'events', events };
        continue;
      }
      if (position !== undefined) yield { kind: 'caught_up', position };
      await Promise.race([woken, aborted.promise]);
    }
  }

  async ping(): Promise<void> {
    if (this.#closed) throw new StoreUnavailable('the store is closed');
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#wake();
  }

  #wake(): void {
    this.#woken.resolve();
    this.#woken = Promise.withResolvers<void>();
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @throws {TypeError} on the invalid arguments that every store rejects */
function checkAppend(stream: string, events: readonly EventToAppend[]): void {
  if (stream === '') throw new TypeError('a stream needs a name');
  if (events.length === 0) throw new TypeError('an append needs an event');
  if (!events.every(({ id }) => UUID.test(id))) throw new TypeError('an event id is a UUID');
  const bytes = events.reduce((sum, event) => sum + bytesOf(event), 0);
  if (bytes > MAX_APPEND_BYTES) throw new TypeError('an append is no larger than EventStoreDB takes');
}
