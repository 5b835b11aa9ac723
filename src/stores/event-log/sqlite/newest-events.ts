import { LRUCache } from 'lru-cache';
import type { Position, StoredEvent } from '../event-log.ts';

const MAX_STREAMS = 20_000;

/**
 * What is known of the end of the log and of streams without reading them, because only this process appends. It is set
 * in the turn of the commit, so that nothing older is returned once a caller knows of the append, and forgotten when it
 * is uncertain what a commit has written.
 */
export class NewestEvents {
  /** Of the last commit. */
  #events: readonly StoredEvent[] = [];
  readonly #lastRevisions = new LRUCache<string, number>({ max: MAX_STREAMS });

  /** Adds the events of a commit. */
  add(events: readonly StoredEvent[]): void {
    this.#events = events;
    events.forEach((event) => this.addLast(event));
  }

  /** Adds the last event of a stream, in the turn in which it was read. */
  addLast({ stream, revision }: StoredEvent): void {
    this.#lastRevisions.set(stream, revision);
  }

  /** Returns the events of the log after a position; undefined unless they are those of the last commit. */
  after(position: Position, limit: number): readonly StoredEvent[] | undefined {
    const [first] = this.#events;
    if (first === undefined || first.position > position + 1n) return undefined;
    const from = Number(position + 1n - first.position);
    return this.#events.slice(from, from + limit);
  }

  /** Returns whether a stream is known to have no event from this revision on. */
  endsBefore(stream: string, revision: number): boolean {
    return this.#lastRevisions.get(stream) === revision - 1;
  }

  clear(): void {
    this.#events = [];
    this.#lastRevisions.clear();
  }
}
