import { LRUCache } from 'lru-cache';
import type { Recorded } from '../event-sourcing/event.ts';

/** LRU cache of up to this many streams. */
const MOST_STREAMS = 2_048;
/** Of at most so many events each, which bounds the memory at about 80 MB. */
const MOST_EVENTS = 16;

/**
 * What this process last knew of the streams that it has changed. Others change them too, so what is remembered only saves a
 * read where the next append tells whether it still holds (`CommandDefinition.changesOneStream`).
 */
export class StreamCache {
  readonly #streams = new LRUCache<string, readonly Recorded[]>({ max: MOST_STREAMS });

  /** The events of a stream from its beginning, never none; undefined when it is not remembered. */
  recall(stream: string): readonly Recorded[] | undefined {
    return this.#streams.get(stream);
  }

  /** `history`: all events of the stream up to one of them. What is known to be newer stays. */
  remember(stream: string, history: readonly Recorded[]): void {
    if (history.length === 0 || history.length > MOST_EVENTS) return this.forget(stream);
    if (history.length >= (this.#streams.get(stream)?.length ?? 0)) this.#streams.set(stream, history);
  }

  forget(stream: string): void {
    this.#streams.delete(stream);
  }
}
