import { LRUCache } from 'lru-cache';
import type { Aggregate } from '../aggregate.ts';
import type { LoadedStream } from './loaded-stream.ts';

const MAX_SIZE = 128 * 1024 * 1024;

/**
 * LRU cache of the states of the streams that commands of this process have read or changed. Other processes change
 * them too, so a state may be stale: read what follows it, or use it only where a later append at its revision detects
 * that (`CommandDefinition.changesOneStream`).
 */
export class StateCache {
  readonly #streams: LRUCache<string, LoadedStream<unknown>>;

  /** @param maxSize of all cached states, as `LoadedStream` counts it */
  constructor(maxSize = MAX_SIZE) {
    this.#streams = new LRUCache({ maxSize, sizeCalculation: ({ size }) => size + 1 });
  }

  /** Returns a stream as it was cached; undefined when it is not cached. */
  get<State>(aggregate: Aggregate<State, never>, stream: string): LoadedStream<State> | undefined {
    const cached = this.#streams.get(stream);
    return cached?.aggregate === aggregate ? (cached as LoadedStream<State>) : undefined;
  }

  /** Caches a stream, unless a later revision of it is cached, or it does not exist. */
  set(loaded: LoadedStream<unknown>): void {
    const { stream, revision = -1 } = loaded;
    if (revision > (this.#streams.get(stream)?.revision ?? -1)) this.#streams.set(stream, loaded);
  }

  delete(stream: string): void {
    this.#streams.delete(stream);
  }
}
