import type { EventStore, Position, StoredEvent, SubscriptionMessage } from '#stores/event-log/event-log.ts';
import type { MemoryEventStore } from './memory-event-store.ts';

/** Wraps a store so that its positions have gaps, like byte offsets. */
export function withPositionGaps(store: MemoryEventStore): EventStore {
  const withSparsePosition = (event: StoredEvent): StoredEvent => ({ ...event, position: toSparse(event.position) });
  return {
    append: async (appends) =>
      (await store.append(appends)).map((result) => ({ ...result, position: toSparse(result.position) })),
    readStream: async (...args) => (await store.readStream(...args)).map(withSparsePosition),
    readLast: async (stream) => {
      const last = await store.readLast(stream);
      return last === undefined ? undefined : withSparsePosition(last);
    },
    readAt: async (position) => {
      const event = await store.readAt(toDense(position) ?? 0n);
      return event === undefined || toSparse(event.position) !== position ? undefined : withSparsePosition(event);
    },
    readAll: async ({ after, limit }) =>
      (await store.readAll({ after: toDense(after), limit })).map(withSparsePosition),
    lastPosition: async () => {
      const last = await store.lastPosition();
      return last === undefined ? undefined : toSparse(last);
    },
    subscribe: async function* (options) {
      for await (const message of store.subscribe({ ...options, after: toDense(options.after) })) {
        yield message.kind === 'events'
          ? ({ kind: 'events', events: message.events.map(withSparsePosition) } satisfies SubscriptionMessage)
          : ({ kind: 'caught_up', position: toSparse(message.position) } satisfies SubscriptionMessage);
      }
    },
    ping: async () => await store.ping(),
    close: async () => await store.close(),
  };
}

function toSparse(position: Position): Position {
  return position * 1_000n + 7n;
}

/** Returns the last dense position at or before a sparse one. */
function toDense(position: Position | undefined): Position | undefined {
  return position === undefined || position < 1_007n ? undefined : (position - 7n) / 1_000n;
}
