import { type StoredEvent, StoreUnavailable } from '../event-store/event-store.ts';
import { Batch, type BatchPorts, rememberingLast, type Slot } from './batch.ts';
import type { Collection } from './collection.ts';
import type { Delivery, Router } from './routing.ts';
import { apply } from './working-document.ts';

/**
 * Brings the collections to the end of a run of events, which follow each other in the log. Every document is read and
 * written once, however many of the events concern it.
 * @throws {StoreUnavailable} then some collections may have been written and others not; the same events can be given again.
 */
export async function reflect(
  events: readonly StoredEvent[],
  collections: readonly Collection[],
  router: Router,
  ports: BatchPorts,
): Promise<void> {
  const end = events.at(-1)?.position;
  if (end === undefined) return;
  const deliveries = router.route(events);
  const batches = await loadBatches(collections, deliveries, ports);
  for (const delivery of deliveries) {
    const batch = batches.get(delivery.collection);
    const slot = batch?.slot(delivery.key);
    if (batch === undefined || slot === undefined) continue;
    if (needsRefold(delivery, batch, slot)) await refoldAt(delivery, batch, slot, ports);
  }
  const writes = await Promise.allSettled([...batches.values()].map((batch) => batch.write(end)));
  for (const written of writes) if (written.status === 'rejected') throw written.reason;
}

async function loadBatches(
  collections: readonly Collection[],
  deliveries: readonly Delivery[],
  ports: BatchPorts,
): Promise<ReadonlyMap<Collection, Batch>> {
  const decode = rememberingLast();
  const batches = new Map(collections.map((collection) => [collection, new Batch(collection, decode, ports)]));
  const keys = new Map(collections.map((collection) => [collection, new Set<string>()]));
  for (const { collection, key } of deliveries) keys.get(collection)?.add(key);
  await Promise.all([...batches].map(([collection, batch]) => batch.load(keys.get(collection) ?? new Set())));
  return batches;
}

/** Lets the document take in the event; true when it can only be had by folding the document from its streams. */
function needsRefold({ event, isRetry }: Delivery, batch: Batch, slot: Slot): boolean {
  // A document that is beyond the request was folded again when it was met for the first time.
  if (isRetry) return slot.working.parked !== undefined && slot.working.position < event.position;
  const outcome = apply(batch.folding, slot.working, event);
  if (outcome === 'applied') slot.changed = true;
  return outcome === 'gap';
}

async function refoldAt({ event, collection, key, isRetry }: Delivery, batch: Batch, slot: Slot, ports: BatchPorts) {
  const { working } = slot;
  const streams = isRetry ? Object.keys(working.streams) : [...Object.keys(working.streams), event.stream];
  const upTo = event.position > working.position ? event.position : working.position;
  slot.working = await batch.refold(key, streams, upTo);
  slot.changed = true;
  if (!isRetry && slot.working.position < event.position) {
    throw new StoreUnavailable('The event store does not show in a stream what it delivered from it');
  }
  const details = { collection: collection.name, key, parked: slot.working.parked !== undefined };
  ports.log.warn(details, isRetry ? 'A parked document was folded again' : 'A document with a gap was folded again');
}
