import { recordedAtOf } from '../../projections/address.ts';
import type { EventStore, Position, StoredEvent } from '../event-store/event-store.ts';
import type { CollectionDefinition, ReadModels } from '../read-models/read-models.ts';
import type { Fence } from '../records/records.ts';
import { ReadModelsAhead } from './failures.ts';

/** What the store must know of the collection in which the mark is kept, beside those of the projections. */
export const MARK_DEFINITION: CollectionDefinition = { name: 'log_mark', version: 1, indexes: [] };
const KEY = 'newest';

/**
 * The newest event that the read models may reflect, kept beside them. Positions alone do not tell logs apart: a log that
 * was restored from a backup soon has as many events again, only others. The mark is set before the documents are
 * written, so that they never reflect an event behind it.
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

  /** @throws {ReadModelsAhead} when the log does not hold the marked event where it was @throws {StoreUnavailable} */
  async check(): Promise<void> {
    const mark = await this.#readModels.get(MARK_DEFINITION.name, KEY);
    this.#position = mark?.position;
    if (mark?.body === undefined) return;
    const event = await this.#eventStore.readAt(mark.position);
    if (event?.id !== mark.body) throw new ReadModelsAhead();
  }

  /** Everything up to this event may be reflected from now on. @throws as `ReadModels.write` does */
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
