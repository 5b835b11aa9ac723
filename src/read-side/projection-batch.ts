import type { AnyProjection } from '#projections/projection.ts';
import type { StoredEvent } from '#stores/event-log/event-log.ts';
import type { BatchPorts, CollectionChanges } from './collection-batch.ts';
import { FoldBatch } from './fold-batch.ts';
import type { Router } from './routing.ts';
import { RowBatch } from './row-batch.ts';

/**
 * Applies consecutive events of the log to all collections. Each document is read once and written once, however many
 * of the events change it. The caller stores the writes: after a failure discard the batch and apply the same events to
 * a new one.
 */
export class ProjectionBatch {
  readonly #router: Router;
  readonly #ports: BatchPorts;
  /** Only of collections that the events concern. */
  readonly #batches = new Map<AnyProjection, FoldBatch | RowBatch>();
  #end: StoredEvent | undefined;

  constructor(router: Router, ports: BatchPorts) {
    this.#router = router;
    this.#ports = ports;
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
    const requested = new Set<FoldBatch>();
    for (const { projection, key } of deliveries) {
      const batch = this.#batchOf(projection);
      if (!(batch instanceof FoldBatch)) continue;
      batch.request(key);
      requested.add(batch);
    }
    await Promise.all([...requested].map(async (batch) => await batch.load()));
    for (const delivery of deliveries) {
      const applied = this.#batchOf(delivery.projection).apply(delivery);
      if (applied !== undefined) await applied;
    }
    this.#end = events.at(-1) ?? this.#end;
  }

  async changes(): Promise<readonly CollectionChanges[]> {
    return await Promise.all([...this.#batches.values()].map(async (batch) => await batch.changes()));
  }

  #batchOf(projection: AnyProjection): FoldBatch | RowBatch {
    const known = this.#batches.get(projection);
    if (known !== undefined) return known;
    const batch = 'rows' in projection ? new RowBatch(projection, this.#ports) : new FoldBatch(projection, this.#ports);
    this.#batches.set(projection, batch);
    return batch;
  }
}
