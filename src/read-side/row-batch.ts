import type { RowProjection } from '#projections/projection.ts';
import type { StoredEvent } from '#stores/event-log/event-log.ts';
import type { DocumentToWrite, ReplacedState, StoredDocument } from '#stores/read-models/read-models.ts';
import {
  type BatchPorts,
  type CollectionBatch,
  type CollectionChanges,
  logParked,
  stateOf,
} from './collection-batch.ts';
import type { Delivery } from './routing.ts';
import { parkedStream, remakeRows, storedRows } from './stored-documents.ts';

interface Parking {
  stored: StoredDocument | undefined;
  readonly replaces: ReplacedState | null;
  isChanged: boolean;
}

/** The rows that the events of a batch add to one collection. Nothing is read but what parks a stream. */
export class RowBatch implements CollectionBatch {
  readonly #projection: RowProjection;
  readonly #ports: BatchPorts;
  readonly #rows = new Map<string, DocumentToWrite>();
  /** By the id of the stream. */
  readonly #parkings = new Map<string, Parking>();

  constructor(projection: RowProjection, ports: BatchPorts) {
    this.#projection = projection;
    this.#ports = ports;
  }

  get size(): number {
    return this.#rows.size + this.#parkings.size;
  }

  apply({ event, key, isRetry }: Delivery): Promise<void> | undefined {
    if (isRetry) return this.#retry(key, event);
    try {
      this.#add(storedRows(this.#projection, event));
      return undefined;
    } catch (error) {
      return this.#park(key, event, error);
    }
  }

  changes(): CollectionChanges {
    const changed = [...this.#parkings.values()].filter(({ isChanged }) => isChanged);
    const parkings = changed.flatMap(({ stored, replaces }) => (stored === undefined ? [] : [{ ...stored, replaces }]));
    const parkedDelta = parkings.reduce(
      (sum, { parked, replaces }) => sum + Number(parked !== undefined) - Number(replaces?.isParked ?? false),
      0,
    );
    return { collection: this.#projection.name, documents: [...this.#rows.values(), ...parkings], parkedDelta };
  }

  #add(rows: readonly StoredDocument[]): void {
    for (const row of rows) this.#rows.set(row.key, { ...row, replaces: null });
  }

  /** An event that is delivered again parks no stream that was repaired since. */
  async #park(key: string, event: StoredEvent, error: unknown): Promise<void> {
    const parking = await this.#parkingOf(key);
    if (parking.stored?.parked !== undefined || (parking.stored?.position ?? 0n) >= event.position) return;
    logParked(this.#ports.log, this.#projection.name, error, event, key);
    parking.stored = parkedStream(key, event, error);
    parking.isChanged = true;
  }

  /** Adds the rows that are missing. A retry that is delivered again adds them again, because a kill may lose some. */
  async #retry(key: string, event: StoredEvent): Promise<void> {
    const parking = await this.#parkingOf(key);
    const { stored } = parking;
    if (stored === undefined || stored.position > event.position) return;
    const { rows, parking: found } = await remakeRows(this.#ports.eventStore, {
      projection: this.#projection,
      onFailure: (error, failed) => logParked(this.#ports.log, this.#projection.name, error, failed, key),
      key,
      stream: stored.stream,
      upTo: event.position,
    });
    this.#add(rows);
    parking.stored = found;
    parking.isChanged = true;
    const details = { collection: this.#projection.name, key, parked: found.parked !== undefined };
    this.#ports.log.warn(details, 'Added the rows of a parked stream');
  }

  async #parkingOf(key: string): Promise<Parking> {
    const known = this.#parkings.get(key);
    if (known !== undefined) return known;
    const [stored] = await this.#ports.documents.getMany(this.#projection.name, [key]);
    const parking = { stored, replaces: stateOf(stored), isChanged: false };
    this.#parkings.set(key, parking);
    return parking;
  }
}
