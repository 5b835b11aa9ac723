import { setTimeout as pause } from 'node:timers/promises';

import { BACKWARDS, END, FORWARDS, START } from '@eventstore/db-client';
import type {
  AllStreamResolvedEvent,
  EventStoreDBClient,
  Position as LogPosition,
  ReadPosition,
  ResolvedEvent,
  StreamingRead,
} from '@eventstore/db-client';

import type { Position, StoredEvent } from '../event-store.ts';
import { definiteError, isLostConnection, isNoRecordThere, isNotFound, unavailable } from './errors.ts';
import { isOwn, toStored } from './stored-event.ts';
import { within } from './time-limit.ts';

/** The most records that are asked for at once when the log is searched for events of Surety among others. */
const largestPage = 4_096;
/** Milliseconds. */
const beforeSecondTry = 50;

/** Reads streams and the log, each call within a time limit (milliseconds). */
export class Reader {
  readonly #client: EventStoreDBClient;
  readonly #timeLimit: number;

  constructor(client: EventStoreDBClient, timeLimit: number) {
    this.#client = client;
    this.#timeLimit = timeLimit;
  }

  /** Events from revision `from`, oldest first; none when there is no such stream. @throws {StoreUnavailable} */
  async stream(stream: string, from = 0, limit: number = Number.MAX_SAFE_INTEGER): Promise<StoredEvent[]> {
    const range = { direction: FORWARDS, fromRevision: BigInt(from), maxCount: limit } as const;
    return limit > 0 ? await this.#stream(stream, range) : [];
  }

  /** The newest event of a stream. @throws {StoreUnavailable} */
  async last(stream: string): Promise<StoredEvent | undefined> {
    return (await this.#stream(stream, { direction: BACKWARDS, fromRevision: END, maxCount: 1 })).at(0);
  }

  /**
   * The server's read begins at a position, the port's behind it, and the server's pages hold its own events too.
   * @throws {StoreUnavailable}
   */
  async log(after: Position | undefined, limit: number): Promise<StoredEvent[]> {
    if (limit <= 0) return [];
    const found: StoredEvent[] = [];
    let size = limit + 1;
    let page = await this.#firstPage(after, size);
    for (;;) {
      for (const { event } of page) {
        if (event === undefined || !isOwn(event)) continue;
        const stored = toStored(event);
        if (stored.position <= (found.at(-1)?.position ?? after ?? -1n)) continue;
        found.push(stored);
        if (found.length === limit) return found;
      }
      const end = page.at(-1);
      if (page.length < size || end === undefined) return found;
      size = Math.min(size * 2, Math.max(largestPage, limit + 1));
      page = await this.#page({ direction: FORWARDS, fromPosition: at(commitOf(end)), maxCount: size });
    }
  }

  /** Position of the newest event that is not the server's own. @throws {StoreUnavailable} */
  async lastPosition(): Promise<Position | undefined> {
    let fromPosition: ReadPosition = END;
    for (let size = 16; ; size = Math.min(size * 2, largestPage)) {
      const page: AllStreamResolvedEvent[] = await this.#page({ direction: BACKWARDS, fromPosition, maxCount: size });
      const own = page.find(({ event }) => event !== undefined && isOwn(event));
      if (own?.event !== undefined) return own.event.position.commit;
      const end = page.at(-1);
      if (page.length < size || end === undefined) return undefined;
      fromPosition = at(commitOf(end));
    }
  }

  /** Resolves when the server answers a read. @throws {StoreUnavailable} */
  async ping(): Promise<void> {
    await this.#page({ direction: BACKWARDS, fromPosition: END, maxCount: 1 });
  }

  /**
   * A position that is no record's is asked for by those who look for the event right behind it; else it comes from
   * another log, and only the log as a whole can tell what lies behind it.
   */
  async #firstPage(after: Position | undefined, size: number): Promise<AllStreamResolvedEvent[]> {
    if (after === undefined || after <= 0n) return await this.#page({ direction: FORWARDS, maxCount: size });
    for (const place of [after, after + 1n]) {
      try {
        return await this.#readAll({ direction: FORWARDS, fromPosition: at(place), maxCount: size });
      } catch (error) {
        if (!isNoRecordThere(error)) throw failed(error, '$all');
      }
    }
    return await this.#page({ direction: FORWARDS, fromPosition: await this.#placeBehind(after), maxCount: size });
  }

  /** Walks over the log up to the first record behind a position; the end of the log when there is none. */
  async #placeBehind(after: Position): Promise<ReadPosition> {
    let fromPosition: ReadPosition = START;
    for (;;) {
      const range = { direction: FORWARDS, fromPosition, maxCount: largestPage } as const;
      const page: AllStreamResolvedEvent[] = await this.#page(range);
      const behind = page.find((event) => commitOf(event) > after);
      if (behind !== undefined) return at(commitOf(behind));
      const end = page.at(-1);
      if (end === undefined || page.length < largestPage) return END;
      fromPosition = at(commitOf(end));
    }
  }

  async #stream(stream: string, range: Parameters<EventStoreDBClient['readStream']>[1]): Promise<StoredEvent[]> {
    try {
      const options = { ...range, requiresLeader: true, deadline: this.#timeLimit };
      const read = await this.#collect(() => this.#client.readStream(stream, options));
      return read.flatMap(({ event }) => (event === undefined ? [] : [toStored(event)]));
    } catch (error) {
      if (isNotFound(error)) return [];
      throw failed(error, stream);
    }
  }

  async #page(range: Parameters<EventStoreDBClient['readAll']>[0]): Promise<AllStreamResolvedEvent[]> {
    try {
      return await this.#readAll(range);
    } catch (error) {
      throw failed(error, '$all');
    }
  }

  async #readAll(range: Parameters<EventStoreDBClient['readAll']>[0]): Promise<AllStreamResolvedEvent[]> {
    const options = { ...range, requiresLeader: true, deadline: this.#timeLimit };
    return await this.#collect(() => this.#client.readAll(options));
  }

  /** A connection that was cut while nobody used it is noticed by the first read on it; the second has a new one. */
  async #collect<T extends ResolvedEvent | AllStreamResolvedEvent>(open: () => StreamingRead<T>): Promise<T[]> {
    try {
      return await this.#collectOnce(open());
    } catch (error) {
      if (!isLostConnection(error)) throw error;
      await pause(beforeSecondTry);
      return await this.#collectOnce(open());
    }
  }

  /** The deadline of the call is not relied on: a server that is frozen was seen to let it pass. */
  async #collectOnce<T extends ResolvedEvent | AllStreamResolvedEvent>(read: StreamingRead<T>): Promise<T[]> {
    // An error that comes after the loop has ended would otherwise end the process.
    read.on('error', () => {});
    let ended = false;
    const all = async (): Promise<T[]> => {
      const events: T[] = [];
      for await (const event of read) events.push(event);
      ended = true;
      return events;
    };
    try {
      return await within(this.#timeLimit, all());
    } finally {
      if (!ended) {
        read.destroy();
        read.cancel().catch(() => {});
      }
    }
  }
}

function at(commit: Position): LogPosition {
  return { commit, prepare: commit };
}

function commitOf({ event, link, commitPosition }: AllStreamResolvedEvent): Position {
  return commitPosition ?? link?.position.commit ?? event?.position.commit ?? 0n;
}

function failed(error: unknown, stream: string): Error {
  return definiteError(error, stream) ?? unavailable('EventStoreDB does not answer', error);
}
