import { applyEvent } from '#projections/working-document.ts';
import type { StoredEvent } from '#stores/event-log/event-log.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import type { AnyProjection } from '#projections/projection.ts';
import {
  type BatchDocument,
  type BatchPorts,
  CollectionBatch,
  type CollectionChanges,
  decodeOnce,
} from './collection-batch.ts';
import type { Delivery, Router } from './routing.ts';

/**
 * Applies consecutive events of the log to all collections. Each document is read once and written once, however many
 * of the events change it. The caller stores the writes: after a failure discard the batch and apply the same events to
 * a new one.
 */
export class ProjectionBatch {
  readonly #router: Router;
  readonly #ports: BatchPorts;
  readonly #batches: ReadonlyMap<AnyProjection, CollectionBatch>;
  #end: StoredEvent | undefined;

  constructor(projections: readonly AnyProjection[], router: Router, ports: BatchPorts) {
    this.#router = router;
    this.#ports = ports;
    const decode = decodeOnce();
    this.#batches = new Map(
      projections.map((projection) => [projection, new CollectionBatch(projection, decode, ports)]),
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
    for (const { projection, key } of deliveries) this.#batches.get(projection)?.request(key);
    await Promise.all([...this.#batches.values()].map((batch) => batch.load()));
    for (const delivery of deliveries) {
      const batch = this.#batches.get(delivery.projection);
      const document = batch?.document(delivery.key);
      if (batch === undefined || document === undefined) continue;
      if (needsRefold(delivery, batch, document)) await this.#refold(delivery, batch, document);
    }
    this.#end = events.at(-1) ?? this.#end;
  }

  async changes(): Promise<readonly CollectionChanges[]> {
    return await Promise.all([...this.#batches.values()].map(async (batch) => await batch.changes()));
  }

  async #refold(
    { event, projection, key, isRetry }: Delivery,
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
    const details = { collection: projection.name, key, parked: document.working.parked !== undefined };
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
