import { recordedAtOf } from '../../projections/address.ts';
import type { EventStore, Position, StoredEvent } from '../event-store/event-store.ts';
import type { CollectionDefinition, ReadModels, WriteStep } from '../read-models/read-models.ts';
import { ReadModelsLogMismatch } from './failures.ts';

export const MARK_DEFINITION: CollectionDefinition = { name: 'log_mark', version: 2, indexes: [] };
const KEY = 'newest';

/** Returns the position of the newest event that the read models may reflect; undefined without one. @throws {StoreUnavailable} */
export async function readMarkPosition(readModels: Pick<ReadModels, 'get'>): Promise<Position | undefined> {
  return (await readModels.get(MARK_DEFINITION.name, KEY))?.position;
}

/**
 * The id and position of the newest event that the read models may reflect. It identifies the log: positions alone do not, because a
 * log that was restored from a backup grows to the same length with other events. The mark is written before the documents, so these
 * never reflect a later event.
 */
export class LogMark {
  readonly #readModels: Pick<ReadModels, 'get'>;
  readonly #eventStore: Pick<EventStore, 'readAt'>;
  #position: Position | undefined;

  constructor(readModels: Pick<ReadModels, 'get'>, eventStore: Pick<EventStore, 'readAt'>) {
    this.#readModels = readModels;
    this.#eventStore = eventStore;
  }

  /** @throws {ReadModelsLogMismatch} when the log has another event, or none, at the mark @throws {StoreUnavailable} */
  async check(): Promise<void> {
    const mark = await this.#readModels.get(MARK_DEFINITION.name, KEY);
    this.#position = mark?.position;
    if (mark?.body === undefined) return;
    const event = await this.#eventStore.readAt(mark.position);
    if (event?.id !== mark.body) throw new ReadModelsLogMismatch();
  }

  /** Returns the write that moves the mark to a later event; empty when the mark is not earlier. */
  stepTo(event: StoredEvent): WriteStep {
    const { id, stream, revision, position } = event;
    if (this.#position !== undefined && position <= this.#position) return [];
    const stored = { key: KEY, body: id, stream, revision, position, createdAt: recordedAtOf(event), indexes: {} };
    const replaces = this.#position === undefined ? null : { position: this.#position, isParked: false };
    const mark = { ...stored, parked: undefined, replaces };
    return [{ collection: MARK_DEFINITION.name, documents: [mark], checkpoint: position }];
  }

  /** Call it when the write of `stepTo` is stored. */
  advanceTo({ position }: StoredEvent): void {
    if (this.#position === undefined || position > this.#position) this.#position = position;
  }
}
