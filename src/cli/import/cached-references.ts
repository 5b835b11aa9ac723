import { LRUCache } from 'lru-cache';
import type { CommandPorts } from '#event-sourcing/executor/ports.ts';
import { StateCache } from '#event-sourcing/executor/state-cache.ts';
import { environment } from '#domain/environment/environment.ts';
import { merchant } from '#domain/merchant/merchant.ts';
import { product } from '#domain/product/product.ts';
import { provider } from '#domain/provider/provider.ts';
import type { ReservationKind } from '#domain/reservations.ts';
import { categoryOf } from '#event-sourcing/aggregate.ts';
import type { EventStore, StoredEvent } from '#stores/event-log/event-log.ts';

const NAMES: readonly ReservationKind[] = ['providerName', 'productName'];
const REFERENCES: ReadonlySet<string> = new Set([
  ...[environment, merchant, provider, product].map(({ category }) => category),
  ...NAMES,
]);

const MAX_STREAMS = 1_000;
/** Few states, because most policies of a book are in one row, and a later row reads its policy again. */
const STATE_CACHE_SIZE = 8 * 1024 * 1024;

/**
 * Returns ports through which an import reads environment, merchant, provider and product once, instead of once a row.
 * What other processes change in them during the import does not count for its rows.
 */
export function withCachedReferences(ports: CommandPorts): CommandPorts {
  const streams = new LRUCache<string, readonly StoredEvent[]>({ max: MAX_STREAMS });
  const { eventStore } = ports;
  const readStream: EventStore['readStream'] = async (stream, options) => {
    if (!REFERENCES.has(categoryOf(stream))) return await eventStore.readStream(stream, options);
    const known = streams.get(stream) ?? (await eventStore.readStream(stream));
    if (known.length > 0) streams.set(stream, known);
    const { from = 0, limit = known.length } = options ?? {};
    return known.slice(from, from + limit);
  };
  const append: EventStore['append'] = async (appends) => {
    try {
      return await eventStore.append(appends);
    } finally {
      for (const { stream } of appends) streams.delete(stream);
    }
  };
  return { ...ports, eventStore: { ...eventStore, readStream, append }, stateCache: new StateCache(STATE_CACHE_SIZE) };
}
