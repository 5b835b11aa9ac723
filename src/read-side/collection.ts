import type { AnyProjection } from '#projections/projection.ts';
import type { Position } from '#stores/event-log/event-log.ts';
import type {
  CollectionDefinition,
  CollectionWrite,
  DocumentToWrite,
  ReadModels,
  StoredDocument,
  WriteStep,
} from '#stores/read-models/read-models.ts';
import type { CollectionProgress } from './projector.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Fence } from '#stores/read-models/fence.ts';

export function definitionOf({ name, version, indexNames, countedBy }: AnyProjection): CollectionDefinition {
  return { name, version, indexes: indexNames, ...(countedBy && { countedBy }) };
}

const MAX_DOCUMENTS_PER_WRITE = 5_000;
const BEFORE_FIRST_EVENT: Position = 0n;

interface BatchToWrite {
  readonly documents: readonly DocumentToWrite[];
  /** Parts of `documents`. They are written first: an event that its whole reflects is not applied again. */
  readonly parts: readonly DocumentToWrite[];
  readonly parkedDelta: number;
}

/** Writes of one collection, in the order in which they are stored. */
export interface CollectionWrites {
  readonly writes: readonly CollectionWrite[];
  /** Call it when all writes are stored. */
  readonly onStored: () => void;
}

type CollectionStore = Pick<ReadModels, 'checkpoint' | 'countParked' | 'getMany'>;

/**
 * A collection and its checkpoint. `position` may be ahead of the stored checkpoint, but only by events that do not
 * change the collection, so a restart from the checkpoint loses nothing.
 */
export class Collection {
  readonly projection: AnyProjection;
  readonly #readModels: CollectionStore;
  #position: Position | undefined;
  #stored: Position | undefined;
  #parked = 0;

  constructor(projection: AnyProjection, readModels: CollectionStore) {
    this.projection = projection;
    this.#readModels = readModels;
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

  /**
   * Reloads the checkpoint from the store; returns whether it is behind the one stored before.
   * @throws {StoreUnavailable}
   */
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
   * Returns the writes of a batch, with `position` as checkpoint of the last one: documents may be ahead of the
   * checkpoint, because events that they reflect already are skipped.
   */
  prepareWrites(batch: BatchToWrite, position: Position): CollectionWrites {
    if (!this.awaits(position)) return { writes: [], onStored: () => {} };
    const writes = this.#writesOf(batch, position);
    const onStored = (): void => {
      this.#position = position;
      if (writes.length === 0) return;
      this.#stored = position;
      this.#parked += batch.parkedDelta;
    };
    return { writes, onStored };
  }

  #writesOf({ documents, parts }: BatchToWrite, position: Position): readonly CollectionWrite[] {
    const chunks = [...chunksOf(parts), ...chunksOf(documents)];
    return chunks.map((chunk, index) => {
      const checkpoint = index === chunks.length - 1 ? position : (this.#stored ?? BEFORE_FIRST_EVENT);
      return { collection: this.name, documents: chunk, checkpoint };
    });
  }

  prepareFlush(): CollectionWrites {
    const position = this.#position;
    if (position === undefined || position === this.#stored) return { writes: [], onStored: () => {} };
    const writes = [{ collection: this.name, documents: [], checkpoint: position }];
    return { writes, onStored: () => (this.#stored = position) };
  }
}

function* chunksOf(documents: readonly DocumentToWrite[]): Generator<readonly DocumentToWrite[]> {
  for (let from = 0; from < documents.length; from += MAX_DOCUMENTS_PER_WRITE)
    yield documents.slice(from, from + MAX_DOCUMENTS_PER_WRITE);
}

/**
 * Stores the writes of several collections after `first`. Few documents are stored at once; many are stored step by
 * step, so that requests are served in between.
 * @throws the errors of `ReadModels.write`; some collections may have been written then
 */
export async function writeCollections(
  readModels: Pick<ReadModels, 'write'>,
  collections: readonly CollectionWrites[],
  fence: Fence | undefined,
  first: WriteStep = [],
): Promise<void> {
  const steps = [first, ...stepsOf(collections)].filter((step) => step.length > 0);
  const count = steps.flat().reduce((sum, { documents }) => sum + documents.length, 0);
  if (count <= MAX_DOCUMENTS_PER_WRITE) {
    if (steps.length > 0) await readModels.write(steps, fence);
  } else {
    for (const step of steps) {
      await readModels.write([step], fence);
      await nextTurn();
    }
  }
  for (const { onStored } of collections) onStored();
}

function stepsOf(collections: readonly CollectionWrites[]): readonly WriteStep[] {
  const length = Math.max(0, ...collections.map(({ writes }) => writes.length));
  return Array.from({ length }, (_, index) => collections.flatMap(({ writes }) => writes.slice(index, index + 1)));
}
