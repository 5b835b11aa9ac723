import { recordedAtOf } from '../../projections/address.ts';
import type { EventStore, Position, StoredEvent } from '../event-store/event-store.ts';
import type { CollectionDefinition, ReadModels } from '../read-models/read-models.ts';
import type { Fence } from '../records/records.ts';
import { ReadModelsAhead } from './failures.ts';

export const MARK_DEFINITION: CollectionDefinition = { name: 'log_mark', version: 2, indexes: [] };
const KEY = 'newest';

/**
 * The id and position of the newest event that the read models may reflect. It identifies the log: positions alone do not, because a
 * log that was restored from a backup grows to the same length with other events. The mark is written before the documents, so these
 * never reflect a later event.
 */
export class LogMark {
  readonly #readModels: Pick<ReadModels, 'get' | 'write'>;
  readonly #eventStore: Pick<EventStore, 'readAt'>;
  readonly #fence: Fence | undefined;
  #position: Position | undefined;

  constructor(
    readModels: Pick<ReadModels, 'get' | 'write'>,
    eventStore: Pick<EventStore, 'readAt'>,
    fence: Fence | undefined,
  ) {
    this.#readModels = readModels;
    this.#eventStore = eventStore;
    this.#fence = fence;
  }

  /** @throws {ReadModelsAhead} when the log has another event, or none, at the mark @throws {StoreUnavailable} */
  async check(): Promise<void> {
    const mark = await this.#readModels.get(MARK_DEFINITION.name, KEY);
    this.#position = mark?.position;
    if (mark?.body === undefined) return;
    const event = await this.#eventStore.readAt(mark.position);
    if (event?.id !== mark.body) throw new ReadModelsAhead();
  }

  /** Moves the mark to a later event. @throws the errors of `ReadModels.write` */
  async advance(event: StoredEvent): Promise<void> {
    const { id, position } = event;
    if (this.#position !== undefined && position <= this.#position) return;
    const stored = { key: KEY, body: id, streams: {}, position, createdAt: recordedAtOf(event), indexes: {} };
    const replaces = this.#position === undefined ? null : { position: this.#position, isParked: false };
    const mark = { ...stored, parked: undefined, replaces };
    await this.#readModels.write(MARK_DEFINITION.name, [mark], position, this.#fence);
    this.#position = position;
  }
}
