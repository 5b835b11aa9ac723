import { applyEvent } from '../../projections/working-document.ts';
import { type StoredEvent, StoreUnavailable } from '../event-store/event-store.ts';
import { Batch, type BatchPorts, rememberingLast, type Slot } from './batch.ts';
import type { Collection } from './collection.ts';
import type { Delivery, Router } from './routing.ts';

/**
 * A run of events that follow each other in the log, on its way into the collections. However many of the events concern
 * a document, it is read once and written once. Until `commit` nothing is written: a reflection that failed is thrown
 * away, and the same events are given to a new one.
 */
export class Reflection {
  readonly #router: Router;
  readonly #ports: BatchPorts;
  readonly #batches: ReadonlyMap<Collection, Batch>;
  #end: StoredEvent | undefined;

  constructor(collections: readonly Collection[], router: Router, ports: BatchPorts) {
    this.#router = router;
    this.#ports = ports;
    const decode = rememberingLast();
    this.#batches = new Map(collections.map((collection) => [collection, new Batch(collection, decode, ports)]));
  }

  /** How many documents it holds. */
  get size(): number {
    let size = 0;
    for (const batch of this.#batches.values()) size += batch.size;
    return size;
  }

  /** The last event it took; undefined when there is none. */
  get end(): StoredEvent | undefined {
    return this.#end;
  }

  /** Folds further events into the documents. @throws {StoreUnavailable} */
  async take(events: readonly StoredEvent[]): Promise<void> {
    const deliveries = this.#router.route(events);
    for (const { collection, key } of deliveries) this.#batches.get(collection)?.want(key);
    await Promise.all([...this.#batches.values()].map((batch) => batch.load()));
    for (const delivery of deliveries) {
      const batch = this.#batches.get(delivery.collection);
      const slot = batch?.slot(delivery.key);
      if (batch === undefined || slot === undefined) continue;
      if (needsRefold(delivery, batch, slot)) await this.#refold(delivery, batch, slot);
    }
    this.#end = events.at(-1) ?? this.#end;
  }

  /**
   * Writes what changed: everything up to `end` is then reflected.
   * @throws as `ReadModels.write` does; then some collections may have been written and others not
   */
  async commit(): Promise<void> {
    const end = this.#end;
    if (end === undefined) return;
    const writes = await Promise.allSettled([...this.#batches.values()].map((batch) => batch.write(end.position)));
    for (const written of writes) if (written.status === 'rejected') throw written.reason;
  }

  async #refold({ event, collection, key, isRetry }: Delivery, batch: Batch, slot: Slot): Promise<void> {
    const { working } = slot;
    const streams = isRetry ? Object.keys(working.streams) : [...Object.keys(working.streams), event.stream];
    const upTo = event.position > working.position ? event.position : working.position;
    slot.working = await batch.refold(key, streams, upTo);
    slot.changed = true;
    if (!isRetry && slot.working.position < event.position) {
      throw new StoreUnavailable('The event store does not show in a stream what it delivered from it');
    }
    const details = { collection: collection.name, key, parked: slot.working.parked !== undefined };
    const message = isRetry ? 'A parked document was folded again' : 'A document with a gap was folded again';
    this.#ports.log.warn(details, message);
  }
}

/** Lets the document take in the event; true when it can only be had by folding the document from its streams. */
function needsRefold({ event, isRetry }: Delivery, batch: Batch, slot: Slot): boolean {
  // A document that is beyond the request was folded again when it was met for the first time.
  if (isRetry) return slot.working.parked !== undefined && slot.working.position < event.position;
  const outcome = applyEvent(batch.folding, slot.working, event);
  if (outcome === 'applied') slot.changed = true;
  return outcome === 'gap';
}
