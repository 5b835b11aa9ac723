import type { Position, StoredEvent } from '../event-store.ts';
import type { LogRecord, Mark } from './reading.ts';

/** The newest events of the log that were read, at most a page of them, and where the next page begins. */
export class LogWindow {
  /** The record at which the last page ended; undefined: the next page begins at the start of the log. */
  mark: Mark | undefined;
  /** Position of the newest event that was read; at first that with which the window began. */
  end: Position;
  /** The last page was full, so that there is more to read. */
  isBehind = false;
  /** How many pages in a row have held no event. */
  emptyPages = 0;
  /** The window holds every event after this position, up to `end`. */
  #after: Position;
  #events: StoredEvent[] = [];

  /** @param position of the event after which the window begins; 0: the start of the log */
  constructor(position: Position) {
    this.mark = position === 0n ? undefined : { position };
    this.end = position;
    this.#after = position;
  }

  /** Adds the records of the next page, and drops the oldest events. */
  add(records: readonly LogRecord[], pageSize: number): void {
    const events = records.flatMap(({ event }) => event ?? []);
    this.mark = records.at(-1) ?? this.mark;
    this.isBehind = records.length >= pageSize;
    this.emptyPages = events.length === 0 ? this.emptyPages + 1 : 0;
    this.end = events.at(-1)?.position ?? this.end;
    const all = this.#events.concat(events);
    this.#events = all.slice(-pageSize);
    this.#after = all.at(-pageSize - 1)?.position ?? this.#after;
  }

  /** At most `count` events after a position; undefined when the window no longer holds all of them. */
  after(position: Position, count: number): StoredEvent[] | undefined {
    if (position < this.#after) return undefined;
    const first = this.#events.findLastIndex((event) => event.position <= position) + 1;
    return this.#events.slice(first, first + count);
  }
}
