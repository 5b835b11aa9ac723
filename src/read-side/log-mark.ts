import { recordedAtOf } from '#projections/projection.ts';
import { type Instant, laterOf } from '#event-sourcing/time.ts';
import type { EventStore, Position, StoredEvent } from '#stores/event-log/event-log.ts';
import type { CollectionDefinition, ReadModels, WriteStep } from '#stores/read-models/read-models.ts';
import { requireLogIdentity } from '#stores/event-log/log-identity.ts';

export const MARK_DEFINITION: CollectionDefinition = { name: 'log_mark', version: 1, indexes: [] };
const KEY = 'newest';

export async function readMarkPosition(readModels: Pick<ReadModels, 'get'>): Promise<Position | undefined> {
  return (await readModels.get(MARK_DEFINITION.name, KEY))?.position;
}

/**
 * Returns the latest time at which an event that the read models may reflect was recorded. It is later than the clock
 * after the clock was set back.
 * @throws {StoreUnavailable}
 */
export async function readLatestRecordedAt(readModels: Pick<ReadModels, 'get'>): Promise<Instant | undefined> {
  return (await readModels.get(MARK_DEFINITION.name, KEY))?.createdAt;
}

const REMEDY =
  'The read models were built from another log: if the log was restored from a backup, delete them, and the projector rebuilds them; else it has lost its end: keep them (docs/runbook.md, A damaged log)';

/**
 * The newest event that the read models may reflect, by which they identify their log, and the latest time of
 * recording. The mark is written before the documents, so these never reflect a later event.
 */
export class LogMark {
  readonly #readModels: Pick<ReadModels, 'get'>;
  readonly #eventStore: Pick<EventStore, 'lastPosition' | 'readAt'>;
  #position: Position | undefined;
  #latestRecordedAt: Instant = '';

  constructor(readModels: Pick<ReadModels, 'get'>, eventStore: Pick<EventStore, 'lastPosition' | 'readAt'>) {
    this.#readModels = readModels;
    this.#eventStore = eventStore;
  }

  /** @throws {LogMismatch} when the log has another event, or none, at the mark @throws {StoreUnavailable} */
  async check(): Promise<void> {
    const mark = await this.#readModels.get(MARK_DEFINITION.name, KEY);
    this.#position = mark?.position;
    this.#latestRecordedAt = mark?.createdAt ?? '';
    const newest = mark?.body === undefined ? undefined : { position: mark.position, id: mark.body };
    await requireLogIdentity('The newest event of the read models', newest, this.#eventStore, REMEDY);
  }

  /** Call it with all events up to the one to which the mark is moved. */
  add(events: readonly StoredEvent[]): void {
    for (const event of events) this.#latestRecordedAt = laterOf(this.#latestRecordedAt, recordedAtOf(event));
  }

  /** Returns the write that moves the mark to a later event; empty when the mark is not earlier. */
  stepTo(event: StoredEvent): WriteStep {
    const { id, stream, revision, position } = event;
    if (this.#position !== undefined && position <= this.#position) return [];
    const stored = { key: KEY, body: id, stream, revision, position, createdAt: this.#latestRecordedAt, indexes: {} };
    const replaces = this.#position === undefined ? null : { position: this.#position, isParked: false };
    const mark = { ...stored, parked: undefined, replaces };
    return [{ collection: MARK_DEFINITION.name, documents: [mark], checkpoint: position }];
  }

  /** Call it when the write of `stepTo` is stored. */
  advanceTo({ position }: StoredEvent): void {
    if (this.#position === undefined || position > this.#position) this.#position = position;
  }
}

/** Returns the later of two positions; undefined is before all. */
export function laterPosition(a: Position | undefined, b: Position | undefined): Position | undefined {
  return a === undefined || (b !== undefined && b > a) ? b : a;
}
