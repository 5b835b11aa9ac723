import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AnyProjection } from '../../projections/projection.ts';
import type { Position } from '../event-store/event-store.ts';
import type {
  CollectionDefinition,
  CountToWrite,
  DocumentToWrite,
  ReadModels,
  StoredDocument,
} from '../read-models/read-models.ts';
import type { Fence } from '../records/records.ts';
import { type CountChanges, nextCounts } from './count-changes.ts';
import type { CollectionProgress } from './projector.ts';

/** Returns the definition of a projection's collection for the read-model store. */
export function definitionOf({ name, version, indexNames, countedBy }: AnyProjection): CollectionDefinition {
  return { name, version, indexes: indexNames, ...(countedBy && { countedBy }) };
}

const MAX_DOCUMENTS_PER_WRITE = 5_000;
const BEFORE_FIRST_EVENT: Position = 0n;

/** What a batch changed in a collection. */
export interface BatchToWrite {
  readonly documents: readonly DocumentToWrite[];
  /** Parts of `documents`. They are written first: an event that its whole reflects is not applied again. */
  readonly parts: readonly DocumentToWrite[];
  readonly changes: CountChanges;
  readonly newlyParked: number;
}

export type CollectionStore = Pick<ReadModels, 'checkpoint' | 'countParked' | 'getMany' | 'getCounts' | 'write'>;

/**
 * A collection and its checkpoint. `position` may be ahead of the stored checkpoint, but only by events that do not change the
 * collection, so a restart from the checkpoint loses nothing.
 */
export class Collection {
  readonly projection: AnyProjection;
  readonly #readModels: CollectionStore;
  readonly #fence: Fence | undefined;
  #position: Position | undefined;
  #stored: Position | undefined;
  #parked = 0;

  constructor(projection: AnyProjection, readModels: CollectionStore, fence?: Fence) {
    this.projection = projection;
    this.#readModels = readModels;
    this.#fence = fence;
  }

  get name(): string {
    return this.projection.name;
  }

  get position(): Position | undefined {
    return this.#position;
  }

  get progress(): CollectionProgress {
    const { name, version } = this.projection;
    return { collection: name, version, position: this.#position, parked: this.#parked };
  }

  /** Reloads the checkpoint from the store; returns whether it is behind the one stored before. @throws {StoreUnavailable} */
  async resume(): Promise<boolean> {
    const before = this.#stored;
    this.#stored = await this.#readModels.checkpoint(this.name);
    this.#position = this.#stored;
    this.#parked = await this.#readModels.countParked(this.name);
    return before !== undefined && (this.#stored === undefined || this.#stored < before);
  }

  awaits(position: Position): boolean {
    return this.#position === undefined || position > this.#position;
  }

  getMany(keys: readonly string[]): Promise<readonly StoredDocument[]> {
    return this.#readModels.getMany(this.name, keys);
  }

  /** Writes documents, with `position` as checkpoint. @throws the errors of `ReadModels.write` */
  async write({ documents, parts, changes, newlyParked }: BatchToWrite, position: Position): Promise<void> {
    if (!this.awaits(position)) return;
    if (documents.length > 0) {
      const keys = [...changes.keys()];
      const counts = keys.length === 0 ? [] : nextCounts(changes, await this.#readModels.getCounts(this.name, keys));
      await this.#writeInChunks([...chunksOf(parts), ...chunksOf(documents)], counts, position);
      this.#stored = position;
      this.#parked += newlyParked;
    }
    this.#position = position;
  }

  /**
   * Writes chunk after chunk, so that requests are served in between. Only the last write moves the checkpoint; documents may be ahead of
   * it, because events that they reflect already are skipped.
   */
  async #writeInChunks(
    chunks: readonly (readonly DocumentToWrite[])[],
    counts: readonly CountToWrite[],
    position: Position,
  ): Promise<void> {
    for (const [index, chunk] of chunks.entries()) {
      const checkpoint = index === chunks.length - 1 ? position : (this.#stored ?? BEFORE_FIRST_EVENT);
      await this.#readModels.write(this.name, chunk, checkpoint, this.#fence, index === 0 ? counts : []);
      if (chunk.length === MAX_DOCUMENTS_PER_WRITE) await nextTurn();
    }
  }

  /** Stores `position` as checkpoint. @throws the errors of `ReadModels.write` */
  async flush(): Promise<void> {
    if (this.#position === undefined || this.#position === this.#stored) return;
    await this.#readModels.write(this.name, [], this.#position, this.#fence);
    this.#stored = this.#position;
  }
}

function* chunksOf(documents: readonly DocumentToWrite[]): Generator<readonly DocumentToWrite[]> {
  for (let from = 0; from < documents.length; from += MAX_DOCUMENTS_PER_WRITE)
    yield documents.slice(from, from + MAX_DOCUMENTS_PER_WRITE);
}
