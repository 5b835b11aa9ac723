import type { Position, StoredEvent } from '../event-log.ts';
import type { LogRecord, RecordRef } from './reader.ts';

export class RecentEvents {
  lastRecord: RecordRef | undefined;
  /** Position of the newest event that was read; initially the position from which the cache begins. */
  lastPosition: Position;
  hasMore = false;
  emptyPages = 0;
  /** The cache holds every event after this position, up to `lastPosition`. */
  #after: Position;
  #events: StoredEvent[] = [];

  /** @param position of the event after which the cache begins; 0: the start of the log */
  constructor(position: Position) {
    this.lastRecord = position === 0n ? undefined : { position };
    this.lastPosition = position;
    this.#after = position;
  }

  add(records: readonly LogRecord[], pageSize: number): void {
    const events = records.flatMap(({ event }) => event ?? []);
    this.lastRecord = records.at(-1) ?? this.lastRecord;
    this.hasMore = records.length >= pageSize;
    this.emptyPages = events.length === 0 ? this.emptyPages + 1 : 0;
    this.lastPosition = events.at(-1)?.position ?? this.lastPosition;
    const all = this.#events.concat(events);
    this.#events = all.slice(-pageSize);
    this.#after = all.at(-pageSize - 1)?.position ?? this.#after;
  }

  ofStream(stream: string, from: number, until: Position): StoredEvent[] | undefined {
    const events = this.#events.filter(
      (event) => event.stream === stream && event.revision >= from && event.position <= until,
    );
    return events.at(0)?.revision === from && events.at(-1)?.position === until ? events : undefined;
  }

  after(position: Position, count: number): StoredEvent[] | undefined {
    if (position < this.#after) return undefined;
    const first = this.#events.findLastIndex((event) => event.position <= position) + 1;
    return this.#events.slice(first, first + count);
  }
}
