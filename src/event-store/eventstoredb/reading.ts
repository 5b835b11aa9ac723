import { setTimeout as pause } from 'node:timers/promises';

import type { ResolvedEvent } from '@eventstore/db-client';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';

import type { Position, StoredEvent } from '../event-store.ts';
import type { Calls } from './calls.ts';
import { definiteError, isLostConnection, isNoRecordThere, unavailable } from './errors.ts';
import { readOfLog, readOfStream } from './requests.ts';
import { isOwn, toStored } from './stored-event.ts';

/** The most records in one page while the log is searched for events of Surety among the server's own. */
const largestPage = 4_096;
const beforeSecondTryMs = 50;

/** A record of the log: an event of Surety, or a system event of the server. */
export interface LogRecord {
  readonly id: string | undefined;
  readonly position: Position;
  /** Undefined for the server's own. */
  readonly event: StoredEvent | undefined;
}

/** A record that the log is known to hold. No other log has it at this place. */
export type Mark = Pick<LogRecord, 'position'> & Partial<Pick<LogRecord, 'id'>>;

/** Reads streams and the log; a call ends when no answer has come for a time. */
export class Reader {
  readonly #calls: Calls;
  readonly #limitMs: number;
  /** The newest record of the log when its last position was read, and that position. */
  #known: { readonly newest: Mark; readonly position: Position | undefined } | undefined;

  constructor(calls: Calls, limitMs: number) {
    this.#calls = calls;
    this.#limitMs = limitMs;
  }

  /** Reads events from revision `from`, oldest first; none when there is no such stream. @throws {StoreUnavailable} */
  async stream(stream: string, from = 0, limit: number = Number.MAX_SAFE_INTEGER): Promise<StoredEvent[]> {
    return limit > 0 ? await this.#stream(stream, readOfStream(stream, from, limit)) : [];
  }

  /** Reads the newest event of a stream. @throws {StoreUnavailable} */
  async last(stream: string): Promise<StoredEvent | undefined> {
    return (await this.#stream(stream, readOfStream(stream, 'end', 1))).at(0);
  }

  /**
   * Reads the event at exactly this position. A server that is in trouble may answer as it does for a position within a
   * record, so the position counts as no event's only when another read succeeds and this one fails the same way again.
   * @throws {StoreUnavailable}
   */
  async at(position: Position): Promise<StoredEvent | undefined> {
    const find = async (): Promise<StoredEvent | undefined> => {
      const [record] = (await this.#read(readOfLog(position, 'forwards', 1))).map(toRecord);
      return record?.position === position ? record.event : undefined;
    };
    try {
      return await find();
    } catch (error) {
      if (!isNoRecordThere(error)) throw toStoreError(error);
    }
    await this.ping();
    try {
      return await find();
    } catch (error) {
      if (isNoRecordThere(error)) return undefined;
      throw toStoreError(error);
    }
  }

  /** Reads events after the event at `after`. @throws {StoreUnavailable} also when the log has no event there */
  async log(after: Position | undefined, limit: number): Promise<StoredEvent[]> {
    if (limit <= 0) return [];
    const found: StoredEvent[] = [];
    let mark: Mark | undefined = after === undefined || after <= 0n ? undefined : { position: after };
    for (let size = limit; ; size = Math.min(size * 2, Math.max(largestPage, limit))) {
      const page: LogRecord[] = await this.recordsAfter(mark, size);
      for (const { event } of page) if (event !== undefined && found.length < limit) found.push(event);
      if (found.length === limit || page.length < size) return found;
      mark = page.at(-1);
    }
  }

  /**
   * Reads records after the marked one. The server's read begins with that one, which proves that the log is still the same.
   * @throws {StoreUnavailable} also when the log does not hold it
   */
  async recordsAfter(mark: Mark | undefined, count: number): Promise<LogRecord[]> {
    if (mark === undefined) return await this.#records(readOfLog('start', 'forwards', count));
    const [first, ...page] = await this.#records(readOfLog(mark.position, 'forwards', count + 1));
    if (first?.position !== mark.position || (mark.id !== undefined && first.id !== mark.id)) {
      throw unavailable(`The log of EventStoreDB no longer holds the event at ${mark.position}`);
    }
    return page;
  }

  /**
   * Reads the position of the newest event that is not the server's own. What lies before the record that was the newest one the
   * last time is known, as long as that record is at its place: else the log is another one. An event that was deleted and
   * scavenged since counts until another is written. @throws {StoreUnavailable}
   */
  async lastPosition(): Promise<Position | undefined> {
    const known = this.#known;
    let newest: Mark | undefined;
    const remember = (position: Position | undefined): Position | undefined => {
      if (newest !== undefined) this.#known = { newest, position };
      return position;
    };
    let from: Position | 'end' = 'end';
    for (let size = 16; ; size = Math.min(size * 2, largestPage)) {
      const page: LogRecord[] = await this.#records(readOfLog(from, 'backwards', size));
      for (const record of page) {
        newest ??= record;
        if (record.event !== undefined) return remember(record.position);
        if (known?.newest.position === record.position && known.newest.id === record.id)
          return remember(known.position);
      }
      const end = page.at(-1);
      if (page.length < size || end === undefined) return remember(undefined);
      from = end.position;
    }
  }

  /** Resolves when the server answers a read. @throws {StoreUnavailable} */
  async ping(): Promise<void> {
    await this.#records(readOfLog('end', 'backwards', 1));
  }

  async #stream(stream: string, request: ReadReq): Promise<StoredEvent[]> {
    try {
      return (await this.#read(request)).flatMap(({ event }) => (event === undefined ? [] : [toStored(event)]));
    } catch (error) {
      throw toStoreError(error, stream);
    }
  }

  async #records(request: ReadReq): Promise<LogRecord[]> {
    try {
      return (await this.#read(request)).map(toRecord);
    } catch (error) {
      throw toStoreError(error);
    }
  }

  /** A connection that was cut while it was idle is noticed by the first read on it; the second has a new one. */
  async #read(request: ReadReq): Promise<ResolvedEvent[]> {
    try {
      return await this.#calls.read(request, this.#limitMs);
    } catch (error) {
      if (!isLostConnection(error)) throw error;
      await pause(beforeSecondTryMs);
      return await this.#calls.read(request, this.#limitMs);
    }
  }
}

function toRecord({ event, link, commitPosition }: ResolvedEvent): LogRecord {
  const position = commitPosition ?? link?.position?.commit ?? event?.position?.commit ?? 0n;
  return { id: event?.id, position, event: event !== undefined && isOwn(event) ? toStored(event) : undefined };
}

function toStoreError(error: unknown, stream = '$all'): Error {
  return definiteError(error, stream) ?? unavailable('EventStoreDB does not answer', error);
}
