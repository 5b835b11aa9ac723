import { setTimeout as pause } from 'node:timers/promises';
import {
  BACKWARDS,
  END,
  excludeSystemEvents,
  START,
  StreamNotFoundError,
  type AllStreamResolvedEvent,
  type ReadAllOptions,
  type ReadPosition,
  type ReadStreamOptions,
  type StreamingRead,
} from '@eventstore/db-client';
import { StoreUnavailable } from '../../shared/store-unavailable.ts';
import type { Position, StoredEvent } from '../event-log.ts';
import type { Connection } from './connection.ts';
import { Deadline } from './deadline.ts';
import { definiteError, isInvalidPosition, isLostConnection, unavailable } from './errors.ts';
import { isApplicationEvent, toStored } from './stored-event.ts';

/** Largest page in a search for application events among system events. */
const largestPageSize = 4_096;
const pauseBeforeRetryMs = 50;

export interface LogRecord {
  readonly id: string | undefined;
  readonly position: Position;
  readonly event: StoredEvent | undefined;
}

/** Reference to a record that the log holds: its position, and its id where known. */
export type RecordRef = Pick<LogRecord, 'position'> & Partial<Pick<LogRecord, 'id'>>;

export class EventReader {
  readonly #connection: Connection;
  readonly #timeoutMs: number;
  /** Result of the last `lastPosition`, valid up to the record that was the newest then. */
  #lastPosition: { readonly newest: RecordRef; readonly position: Position | undefined } | undefined;

  constructor(connection: Connection, timeoutMs: number) {
    this.#connection = connection;
    this.#timeoutMs = timeoutMs;
  }

  async stream(stream: string, from = 0, limit: number = Number.MAX_SAFE_INTEGER): Promise<StoredEvent[]> {
    return limit > 0 ? await this.#stream(stream, { fromRevision: BigInt(from), maxCount: limit }) : [];
  }

  async last(stream: string): Promise<StoredEvent | undefined> {
    return (await this.#stream(stream, { direction: BACKWARDS, fromRevision: END, maxCount: 1 })).at(0);
  }

  /**
   * Reads the event at exactly this position. A failing server may answer as for an invalid position, so the result is
   * undefined only when another read succeeds and this one fails again in the same way.
   * @throws {StoreUnavailable}
   */
  async at(position: Position): Promise<StoredEvent | undefined> {
    const read = async (): Promise<StoredEvent | undefined> => {
      const [record] = await this.#log({ fromPosition: at(position), maxCount: 1 });
      return record?.position === position ? record.event : undefined;
    };
    try {
      return await read();
    } catch (error) {
      if (!isInvalidPosition(error)) throw toStoreError(error);
    }
    await this.ping();
    try {
      return await read();
    } catch (error) {
      if (isInvalidPosition(error)) return undefined;
      throw toStoreError(error);
    }
  }

  async log(after: Position | undefined, limit: number): Promise<StoredEvent[]> {
    if (limit <= 0) return [];
    const found: StoredEvent[] = [];
    let previous: RecordRef | undefined = after === undefined || after <= 0n ? undefined : { position: after };
    for (let size = limit; ; size = Math.min(size * 2, Math.max(largestPageSize, limit))) {
      const page: LogRecord[] = await this.recordsAfter(previous, size);
      for (const { event } of page) if (event !== undefined && found.length < limit) found.push(event);
      if (found.length === limit || page.length < size) return found;
      previous = page.at(-1);
    }
  }

  /**
   * Reads the records after `previous`. The request includes that record, to check that it is still the same log.
   * @throws {StoreUnavailable} also when the log does not hold the record
   */
  async recordsAfter(previous: RecordRef | undefined, count: number): Promise<LogRecord[]> {
    if (previous === undefined) return await this.#records({ maxCount: count });
    const [first, ...page] = await this.#records({ fromPosition: at(previous.position), maxCount: count + 1 });
    if (first?.position !== previous.position || (previous.id !== undefined && first.id !== previous.id)) {
      throw unavailable(`The log of EventStoreDB no longer holds the event at ${previous.position}`);
    }
    return page;
  }

  /**
   * Reads the position of the newest application event, backwards down to the record that was the newest in the last
   * call. An event that was deleted and scavenged since then counts until another is written.
   * @throws {StoreUnavailable}
   */
  async lastPosition(): Promise<Position | undefined> {
    const earlier = this.#lastPosition;
    let newest: RecordRef | undefined;
    const remember = (position: Position | undefined): Position | undefined => {
      if (newest !== undefined) this.#lastPosition = { newest, position };
      return position;
    };
    let fromPosition: ReadPosition = END;
    for (let size = 16; ; size = Math.min(size * 2, largestPageSize)) {
      const page: LogRecord[] = await this.#records({ direction: BACKWARDS, fromPosition, maxCount: size });
      for (const record of page) {
        newest ??= record;
        if (record.event !== undefined) return remember(record.position);
        if (earlier?.newest.position === record.position && earlier.newest.id === record.id)
          return remember(earlier.position);
      }
      const end = page.at(-1);
      if (page.length < size || end === undefined) return remember(undefined);
      fromPosition = at(end.position);
    }
  }

  async ping(): Promise<void> {
    await this.#records({ direction: BACKWARDS, fromPosition: END, maxCount: 1 });
  }

  /**
   * Subscribes to the first application event after a record; undefined: from the start of the log. Calls `onEnd` once,
   * also after an error, and when the connection is dropped.
   * @returns function that ends the subscription
   */
  subscribeOnce(previous: RecordRef | undefined, onEnd: (hasEvent: boolean) => void): () => void {
    const fromPosition = previous === undefined ? START : at(previous.position);
    const filter = excludeSystemEvents();
    const subscription = this.#connection.client.subscribeToAll({ fromPosition, filter, requiresLeader: true });
    const { dropped } = this.#connection;
    let hasEnded = false;
    const end = (hasEvent: boolean): void => {
      if (hasEnded) return;
      hasEnded = true;
      dropped?.removeEventListener('abort', onDrop);
      subscription.unsubscribe().catch(() => {});
      onEnd(hasEvent);
    };
    const onDrop = (): void => end(false);
    dropped?.addEventListener('abort', onDrop);
    subscription.on('data', () => end(true));
    subscription.on('error', () => end(false));
    subscription.on('end', () => end(false));
    return () => end(false);
  }

  async #stream(stream: string, options: ReadStreamOptions): Promise<StoredEvent[]> {
    try {
      const read = await this.#read(() =>
        this.#connection.client.readStream(stream, { ...options, requiresLeader: true }),
      );
      return read.flatMap(({ event }) => (event === undefined ? [] : [toStored(event)]));
    } catch (error) {
      if (error instanceof StreamNotFoundError) return [];
      throw toStoreError(error, stream);
    }
  }

  async #records(options: ReadAllOptions): Promise<LogRecord[]> {
    try {
      return await this.#log(options);
    } catch (error) {
      throw toStoreError(error);
    }
  }

  /** @throws the client's errors @throws {StoreUnavailable} */
  async #log(options: ReadAllOptions): Promise<LogRecord[]> {
    return (await this.#read(() => this.#connection.client.readAll({ ...options, requiresLeader: true }))).map(
      toRecord,
    );
  }

  /** Retries once on a new connection, because a connection that was cut while idle fails only with the next read. */
  async #read<E>(open: () => StreamingRead<E>): Promise<E[]> {
    const deadline = new Deadline(this.#timeoutMs);
    const attempt = () => this.#connection.call(deadline, (onData) => collect(open(), deadline, onData));
    try {
      return await attempt();
    } catch (error) {
      if (!isLostConnection(error)) throw error;
      await pause(pauseBeforeRetryMs);
      return await attempt();
    }
  }
}

/** Collects the events of a read, which restart the deadline. @throws the client's errors @throws {StoreUnavailable} */
async function collect<E>(read: StreamingRead<E>, deadline: Deadline, onData: () => void): Promise<E[]> {
  const { promise, resolve, reject } = Promise.withResolvers<E[]>();
  const events: E[] = [];
  read.on('data', (event) => {
    events.push(event);
    deadline.restart();
    onData();
  });
  read.on('end', () => resolve(events));
  read.on('error', reject);
  try {
    return await deadline.limit(promise);
  } catch (error) {
    // The client sets no deadline for reads. A cancelled read neither ends nor fails.
    if (error instanceof StoreUnavailable) read.cancel().catch(() => {});
    throw error;
  }
}

function at(commit: Position): ReadPosition {
  return { commit, prepare: commit };
}

function toRecord({ event, link, commitPosition }: AllStreamResolvedEvent): LogRecord {
  const position = commitPosition ?? link?.position?.commit ?? event?.position?.commit ?? 0n;
  return {
    id: event?.id,
    position,
    event: event !== undefined && isApplicationEvent(event) ? toStored(event) : undefined,
  };
}

function toStoreError(error: unknown, stream = '$all'): Error {
  return definiteError(error, stream) ?? unavailable('EventStoreDB does not answer', error);
}
