import { setTimeout as pause } from 'node:timers/promises';

import type { ResolvedEvent } from '@eventstore/db-client';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';

import type { Position, StoredEvent } from '../event-store.ts';
import type { Calls } from './calls.ts';
import { definiteError, isLostConnection, isInvalidPosition, unavailable } from './errors.ts';
import { logReadRequest, streamReadRequest } from './requests.ts';
import { isApplicationEvent, toStored } from './stored-event.ts';

/** Largest page in a search for application events among system events. */
const largestPageSize = 4_096;
const pauseBeforeRetryMs = 50;

/** Record of the log: an application event or a system event of the server. */
export interface LogRecord {
  readonly id: string | undefined;
  readonly position: Position;
  /** Undefined for a system event. */
  readonly event: StoredEvent | undefined;
}

/** Reference to a record that the log holds: its position, and its id where known. */
export type RecordRef = Pick<LogRecord, 'position'> & Partial<Pick<LogRecord, 'id'>>;

export class Reader {
  readonly #calls: Calls;
  readonly #timeoutMs: number;
  /** Result of the last `lastPosition`, valid up to the record that was the newest then. */
  #lastPosition: { readonly newest: RecordRef; readonly position: Position | undefined } | undefined;

  constructor(calls: Calls, timeoutMs: number) {
    this.#calls = calls;
    this.#timeoutMs = timeoutMs;
  }

  /** Reads events from revision `from`, oldest first; none when the stream does not exist. @throws {StoreUnavailable} */
  async stream(stream: string, from = 0, limit: number = Number.MAX_SAFE_INTEGER): Promise<StoredEvent[]> {
    return limit > 0 ? await this.#stream(stream, streamReadRequest(stream, from, limit)) : [];
  }

  /** Reads the newest event of a stream. @throws {StoreUnavailable} */
  async last(stream: string): Promise<StoredEvent | undefined> {
    return (await this.#stream(stream, streamReadRequest(stream, 'end', 1))).at(0);
  }

  /**
   * Reads the event at exactly this position. A failing server may answer as for an invalid position, so the result is undefined
   * only when another read succeeds and this one fails again in the same way. @throws {StoreUnavailable}
   */
  async at(position: Position): Promise<StoredEvent | undefined> {
    const read = async (): Promise<StoredEvent | undefined> => {
      const [record] = (await this.#read(logReadRequest(position, 'forwards', 1))).map(toRecord);
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

  /** Reads events after the event at `after`. @throws {StoreUnavailable} also when the log has no event there */
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
    if (previous === undefined) return await this.#records(logReadRequest('start', 'forwards', count));
    const [first, ...page] = await this.#records(logReadRequest(previous.position, 'forwards', count + 1));
    if (first?.position !== previous.position || (previous.id !== undefined && first.id !== previous.id)) {
      throw unavailable(`The log of EventStoreDB no longer holds the event at ${previous.position}`);
    }
    return page;
  }

  /**
   * Reads the position of the newest application event, backwards down to the record that was the newest in the last call. An event
   * that was deleted and scavenged since then counts until another is written. @throws {StoreUnavailable}
   */
  async lastPosition(): Promise<Position | undefined> {
    const earlier = this.#lastPosition;
    let newest: RecordRef | undefined;
    const remember = (position: Position | undefined): Position | undefined => {
      if (newest !== undefined) this.#lastPosition = { newest, position };
      return position;
    };
    let from: Position | 'end' = 'end';
    for (let size = 16; ; size = Math.min(size * 2, largestPageSize)) {
      const page: LogRecord[] = await this.#records(logReadRequest(from, 'backwards', size));
      for (const record of page) {
        newest ??= record;
        if (record.event !== undefined) return remember(record.position);
        if (earlier?.newest.position === record.position && earlier.newest.id === record.id)
          return remember(earlier.position);
      }
      const end = page.at(-1);
      if (page.length < size || end === undefined) return remember(undefined);
      from = end.position;
    }
  }

  /** Resolves when the server answers a read. @throws {StoreUnavailable} */
  async ping(): Promise<void> {
    await this.#records(logReadRequest('end', 'backwards', 1));
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

  /** Retries once on a new connection, because a connection that was cut while idle fails only with the next read. */
  async #read(request: ReadReq): Promise<ResolvedEvent[]> {
    try {
      return await this.#calls.read(request, this.#timeoutMs);
    } catch (error) {
      if (!isLostConnection(error)) throw error;
      await pause(pauseBeforeRetryMs);
      return await this.#calls.read(request, this.#timeoutMs);
    }
  }
}

function toRecord({ event, link, commitPosition }: ResolvedEvent): LogRecord {
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
