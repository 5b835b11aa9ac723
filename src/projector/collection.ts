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

  /**
   * Writes documents and the counts that `changes` lead to, with `position` as checkpoint. @throws the errors of `ReadModels.write`
   */
  async write(
    documents: readonly DocumentToWrite[],
    changes: CountChanges,
    position: Position,
    newlyParked: number,
  ): Promise<void> {
    if (!this.awaits(position)) return;
    if (documents.length > 0) {
      const keys = [...changes.keys()];
      const counts = keys.length === 0 ? [] : nextCounts(changes, await this.#readModels.getCounts(this.name, keys));
      await this.#writeInChunks(documents, counts, position);
      this.#stored = position;
      this.#parked += newlyParked;
    }
    this.#position = position;
  }

  /**
   * Splits many documents into several writes, so that requests are served in between. Only the last write moves the checkpoint;
   * documents may be ahead of it, because events that they reflect already are skipped.
   */
  async #writeInChunks(
    documents: readonly DocumentToWrite[],
    counts: readonly CountToWrite[],
    position: Position,
  ): Promise<void> {
    let [rest, countsLeft] = [documents, counts];
    while (rest.length > MAX_DOCUMENTS_PER_WRITE) {
      const chunk = rest.slice(0, MAX_DOCUMENTS_PER_WRITE);
      await this.#readModels.write(this.name, chunk, this.#stored ?? BEFORE_FIRST_EVENT, this.#fence, countsLeft);
      countsLeft = [];
      rest = rest.slice(MAX_DOCUMENTS_PER_WRITE);
      await nextTurn();
    }
    await this.#readModels.write(this.name, rest, position, this.#fence, countsLeft);
  }

  /** Stores `position` as checkpoint. @throws the errors of `ReadModels.write` */
  async flush(): Promise<void> {
    if (this.#position === undefined || this.#position === this.#stored) return;
    await this.#readModels.write(this.name, [], this.#position, this.#fence);
    this.#stored = this.#position;
  }
}
