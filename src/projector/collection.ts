import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AnyProjection } from '../../projections/projection.ts';
import type { Position } from '../event-store/event-store.ts';
import type { CollectionDefinition, DocumentToWrite, ReadModels, StoredDocument } from '../read-models/read-models.ts';
import type { Fence } from '../records/records.ts';
import type { CollectionProgress } from './projector.ts';

/** What the store of the read models must know of a projection. */
export function definitionOf({ name, version, indexNames }: AnyProjection): CollectionDefinition {
  return { name, version, indexes: indexNames };
}

/** The most documents in one write. */
const CHUNK = 5_000;
/** Before the first event. */
const BEGINNING: Position = 0n;

/** What a collection needs of the read models. */
export type CollectionStore = Pick<ReadModels, 'checkpoint' | 'parked' | 'getMany' | 'write'>;

/**
 * One collection and how far it is. Only the projector writes it. `position` may run ahead of the stored checkpoint, but
 * only over events that did not concern the collection, so nothing is lost when it starts again from the checkpoint.
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

  /** Everything up to here is reflected. */
  get position(): Position | undefined {
    return this.#position;
  }

  get progress(): CollectionProgress {
    const { name, version } = this.projection;
    return { collection: name, version, position: this.#position, parked: this.#parked };
  }

  /** Forgets what memory says and asks the store. Tells whether what was stored before is lost. @throws {StoreUnavailable} */
  async resume(): Promise<boolean> {
    const before = this.#stored;
    this.#stored = await this.#readModels.checkpoint(this.name);
    this.#position = this.#stored;
    this.#parked = (await this.#readModels.parked(this.name)).length;
    return before !== undefined && (this.#stored === undefined || this.#stored < before);
  }

  /** Whether the event at this position is still to be reflected. */
  awaits(position: Position): boolean {
    return this.#position === undefined || position > this.#position;
  }

  getMany(keys: readonly string[]): Promise<readonly StoredDocument[]> {
    return this.#readModels.getMany(this.name, keys);
  }

  /** Writes documents with which everything up to `position` is reflected. @throws as `ReadModels.write` does */
  async write(documents: readonly DocumentToWrite[], position: Position, newlyParked: number): Promise<void> {
    if (!this.awaits(position)) return;
    if (documents.length > 0) {
      await this.#writeInChunks(documents, position);
      this.#stored = position;
      this.#parked += newlyParked;
    }
    this.#position = position;
  }

  /**
   * Many documents go in by parts, between which everything else in the process gets its turn. Only the last part brings the
   * checkpoint: documents may be ahead of it, since events that they reflect already change nothing.
   */
  async #writeInChunks(documents: readonly DocumentToWrite[], position: Position): Promise<void> {
    let rest = documents;
    while (rest.length > CHUNK) {
      await this.#readModels.write(this.name, rest.slice(0, CHUNK), this.#stored ?? BEGINNING, this.#fence);
      rest = rest.slice(CHUNK);
      await nextTurn();
    }
    await this.#readModels.write(this.name, rest, position, this.#fence);
  }

  /** Brings the stored checkpoint up to the position. @throws as `ReadModels.write` does */
  async flush(): Promise<void> {
    if (this.#position === undefined || this.#position === this.#stored) return;
    await this.#readModels.write(this.name, [], this.#position, this.#fence);
    this.#stored = this.#position;
  }
}
