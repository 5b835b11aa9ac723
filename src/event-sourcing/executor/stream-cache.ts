import { LRUCache } from 'lru-cache';
import type { RecordedEvent } from '../event.ts';

/** Size of all cached events, in characters of their JSON. The events take about three times as many bytes. */
const MAX_CHARACTERS = 32 * 1024 * 1024;
/** A longer stream is not cached: every change of a cached stream costs in proportion to its events. */
const MAX_EVENTS = 256;
/** Size of an event without its data. */
const METADATA_CHARACTERS = 512;

/**
 * LRU cache of the streams that commands of this process have read or changed. Other processes change them too, so a cached stream may
 * be stale: read what follows it, or use it only where a later append at its revision detects that (`CommandDefinition.changesOneStream`).
 */
export class StreamCache {
  readonly #streams = new LRUCache<string, readonly RecordedEvent[]>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (history) => history.reduce((sum, event) => sum + this.#sizeOf(event), 0),
  });
  readonly #sizes = new WeakMap<RecordedEvent, number>();

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

  #sizeOf(event: RecordedEvent): number {
    const known = this.#sizes.get(event);
    if (known !== undefined) return known;
    const size = METADATA_CHARACTERS + JSON.stringify(event.data).length;
    this.#sizes.set(event, size);
    return size;
  }
}
