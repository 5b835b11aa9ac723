import { LRUCache } from 'lru-cache';
import type { RecordedEvent } from '../event-sourcing/event.ts';

const MAX_STREAMS = 2_048;
/** Longer streams are not cached, which bounds the cache at about 80 MB. */
const MAX_EVENTS = 16;

/**
 * LRU cache of the streams that this process has changed. Other processes change them too, so a cached stream may be
 * stale: use it only where a later append at its revision detects that (`CommandDefinition.changesOneStream`).
 */
export class StreamCache {
  readonly #streams = new LRUCache<string, readonly RecordedEvent[]>({ max: MAX_STREAMS });

  /** Returns the events of a stream from its start; undefined when the stream is not cached. Never empty. */
  get(stream: string): readonly RecordedEvent[] | undefined {
    return this.#streams.get(stream);
  }

  /** Caches the events of a stream from its start, unless a longer history is cached. */
  set(stream: string, history: readonly RecordedEvent[]): void {
    if (history.length === 0 || history.length > MAX_EVENTS) return this.delete(stream);
    if (history.length >= (this.#streams.get(stream)?.length ?? 0)) this.#streams.set(stream, history);
  }

  delete(stream: string): void {
    this.#streams.delete(stream);
  }
}
