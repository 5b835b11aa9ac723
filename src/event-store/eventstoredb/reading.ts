import { setTimeout as pause } from 'node:timers/promises';

import type { ResolvedEvent } from '@eventstore/db-client';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';

import type { Position, StoredEvent } from '../event-store.ts';
import type { Calls } from './calls.ts';
import { definiteError, isLostConnection, isNoRecordThere, unavailable } from './errors.ts';
import { readOfLog, readOfStream } from './requests.ts';
import type { Place } from './requests.ts';
import { isOwn, toStored } from './stored-event.ts';

/** The most records that are asked for at once when the log is searched for events of Surety among others. */
const largestPage = 4_096;
const beforeSecondTryMs = 50;

/** A record that no other log has at this place. */
interface Mark {
  readonly id: string | undefined;
  readonly position: Position;
}

/** Reads streams and the log; a call ends when nothing has come for a time. */
export class Reader {
  readonly #calls: Calls;
  readonly #limitMs: number;
  /** The newest record of the log when its last position was asked for, and that position. */
  #known: { readonly newest: Mark; readonly position: Position | undefined } | undefined;

  constructor(calls: Calls, limitMs: number) {
    this.#calls = calls;
    this.#limitMs = limitMs;
  }

  /** Events from revision `from`, oldest first; none when there is no such stream. @throws {StoreUnavailable} */
  async stream(stream: string, from = 0, limit: number = Number.MAX_SAFE_INTEGER): Promise<StoredEvent[]> {
    return limit > 0 ? await this.#stream(stream, readOfStream(stream, from, limit)) : [];
  }

  /** The newest event of a stream. @throws {StoreUnavailable} */
  async last(stream: string): Promise<StoredEvent | undefined> {
    return (await this.#stream(stream, readOfStream(stream, 'end', 1))).at(0);
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
      page = await this.#page(readOfLog(commitOf(end), 'forwards', size));
    }
  }

  /**
   * Position of the newest event that is not the server's own. What lies before the record that was the newest one the last time is
   * known, as long as that record is met at its place: else the log is another one. An event that somebody has deleted and scavenged
   * since counts until another is written. @throws {StoreUnavailable}
   */
  async lastPosition(): Promise<Position | undefined> {
    const known = this.#known;
    let newest: Mark | undefined;
    const remember = (position: Position | undefined): Position | undefined => {
      if (newest !== undefined) this.#known = { newest, position };
      return position;
    };
    let from: Place = 'end';
    for (let size = 16; ; size = Math.min(size * 2, largestPage)) {
      const page: ResolvedEvent[] = await this.#page(readOfLog(from, 'backwards', size));
      for (const record of page) {
        const mark = { id: record.event?.id, position: commitOf(record) };
        newest ??= mark;
        if (record.event !== undefined && isOwn(record.event)) return remember(mark.position);
        if (known?.newest.position === mark.position && known.newest.id === mark.id) return remember(known.position);
      }
      const end = page.at(-1);
      if (page.length < size || end === undefined) return remember(undefined);
      from = commitOf(end);
    }
  }

  /** Resolves when the server answers a read. @throws {StoreUnavailable} */
  async ping(): Promise<void> {
    await this.#page(readOfLog('end', 'backwards', 1));
  }

  /**
   * A position that is no record's is asked for by those who look for the event right behind it; else it comes from
   * another log, and only the log as a whole can tell what lies behind it.
   */
  async #firstPage(after: Position | undefined, size: number): Promise<ResolvedEvent[]> {
    if (after === undefined || after <= 0n) return await this.#page(readOfLog('start', 'forwards', size));
    for (const place of [after, after + 1n]) {
      try {
        return await this.#read(readOfLog(place, 'forwards', size));
      } catch (error) {
        if (!isNoRecordThere(error)) throw failed(error, '$all');
      }
    }
    return await this.#page(readOfLog(await this.#placeBehind(after), 'forwards', size));
  }

  /** Walks over the log up to the first record behind a position; the end of the log when there is none. */
  async #placeBehind(after: Position): Promise<Place> {
    let from: Place = 'start';
    for (;;) {
      const page: ResolvedEvent[] = await this.#page(readOfLog(from, 'forwards', largestPage));
      const behind = page.find((event) => commitOf(event) > after);
      if (behind !== undefined) return commitOf(behind);
      const end = page.at(-1);
      if (end === undefined || page.length < largestPage) return 'end';
      from = commitOf(end);
    }
  }

  async #stream(stream: string, request: ReadReq): Promise<StoredEvent[]> {
    const read = await this.#page(request, stream);
    return read.flatMap(({ event }) => (event === undefined ? [] : [toStored(event)]));
  }

  async #page(request: ReadReq, stream = '$all'): Promise<ResolvedEvent[]> {
    try {
      return await this.#read(request);
    } catch (error) {
      throw failed(error, stream);
    }
  }

  /** A connection that was cut while nobody used it is noticed by the first read on it; the second has a new one. */
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

function commitOf({ event, link, commitPosition }: ResolvedEvent): Position {
  return commitPosition ?? link?.position?.commit ?? event?.position?.commit ?? 0n;
}

function failed(error: unknown, stream: string): Error {
  return definiteError(error, stream) ?? unavailable('EventStoreDB does not answer', error);
}
