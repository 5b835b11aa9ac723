import { applyEvent } from '#projections/working-document.ts';
import type { StoredEvent } from '#stores/event-log/event-log.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { CollectionBatch, type BatchPorts, decodeOnce, type BatchDocument } from './collection-batch.ts';
import type { Collection, CollectionWrites } from './collection.ts';
import type { Delivery, Router } from './routing.ts';

/**
 * Applies consecutive events of the log to all collections. Each document is read once and written once, however many
 * of the events change it. The caller stores the writes: after a failure discard the batch and apply the same events to
 * a new one.
 */
export class ProjectionBatch {
  readonly #router: Router;
  readonly #ports: BatchPorts;
  readonly #batches: ReadonlyMap<Collection, CollectionBatch>;
  #end: StoredEvent | undefined;

  constructor(collections: readonly Collection[], router: Router, ports: BatchPorts) {
    this.#router = router;
    this.#ports = ports;
    const decode = decodeOnce();
    this.#batches = new Map(
      collections.map((collection) => [collection, new CollectionBatch(collection, decode, ports)]),
    );
  }

  get size(): number {
    let size = 0;
    for (const batch of this.#batches.values()) size += batch.size;
    return size;
  }

  get end(): StoredEvent | undefined {
    return this.#end;
  }

  async apply(events: readonly StoredEvent[]): Promise<void> {
    const deliveries = this.#router.route(events);
    for (const { collection, key } of deliveries) this.#batches.get(collection)?.request(key);
    await Promise.all([...this.#batches.values()].map((batch) => batch.load()));
    for (const delivery of deliveries) {
      const batch = this.#batches.get(delivery.collection);
      const document = batch?.document(delivery.key);
      if (batch === undefined || document === undefined) continue;
      if (needsRefold(delivery, batch, document)) await this.#refold(delivery, batch, document);
    }
    this.#end = events.at(-1) ?? this.#end;
  }

  async prepareWrites(): Promise<readonly CollectionWrites[]> {
    const end = this.#end;
    if (end === undefined) return [];
    return await Promise.all([...this.#batches.values()].map(async (batch) => await batch.prepareWrites(end.position)));
  }

  async #refold(
    { event, collection, key, isRetry }: Delivery,
    batch: CollectionBatch,
    document: BatchDocument,
  ): Promise<void> {
    const { working } = document;
    const stream = isRetry ? working.stream : event.stream;
    const upTo = event.position > working.position ? event.position : working.position;
    document.working = await batch.refold(key, stream, upTo);
    document.isChanged = true;
    if (!isRetry && document.working.position < event.position) {
      throw new StoreUnavailable('A stream lacks an event that the subscription has delivered from it');
    }
    const details = { collection: collection.name, key, parked: document.working.parked !== undefined };
    const message = isRetry
      ? 'Refolded a parked document from its stream'
      : 'Refolded a document with a gap from its stream';
    this.#ports.log.warn(details, message);
  }
}

function needsRefold({ event, isRetry }: Delivery, batch: CollectionBatch, document: BatchDocument): boolean {
  // A document beyond the retry request was already refolded for it.
  if (isRetry) return document.working.parked !== undefined && document.working.position < event.position;
  const outcome = applyEvent(batch.foldOptions, document.working, event);
  if (outcome === 'applied') document.isChanged = true;
  return outcome === 'gap';
}
