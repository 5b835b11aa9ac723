import type { EventStore, Position, StoredEvent, SubscriptionMessage } from '../../src/event-store/event-store.ts';
import type { MemoryEventStore } from './memory-event-store.ts';

/** The same log with positions like those of a store that counts bytes. */
export function withGaps(store: MemoryEventStore): EventStore {
  const shown = (event: StoredEvent): StoredEvent => ({ ...event, position: outside(event.position) });
  return {
    append: async (...args) => {
      const result = await store.append(...args);
      return { ...result, position: outside(result.position) };
    },
    readStream: async (...args) => (await store.readStream(...args)).map(shown),
    readLast: async (stream) => {
      const last = await store.readLast(stream);
      return last === undefined ? undefined : shown(last);
    },
    readAt: async (position) => {
      const event = await store.readAt(inside(position) ?? 0n);
      return event === undefined || outside(event.position) !== position ? undefined : shown(event);
    },
    readAll: async ({ after, limit }) => (await store.readAll({ after: inside(after), limit })).map(shown),
    lastPosition: async () => {
      const last = await store.lastPosition();
      return last === undefined ? undefined : outside(last);
    },
    subscribe: async function* (options) {
      for await (const message of store.subscribe({ ...options, after: inside(options.after) })) {
        yield message.kind === 'events'
          ? ({ kind: 'events', events: message.events.map(shown) } satisfies SubscriptionMessage)
          : ({ kind: 'caught_up', position: outside(message.position) } satisfies SubscriptionMessage);
      }
    },
    ping: async () => await store.ping(),
    close: async () => await store.close(),
  };
}

function outside(position: Position): Position {
  return position * 1_000n + 7n;
}

/** The newest position at or before it. */
function inside(position: Position | undefined): Position | undefined {
  return position === undefined || position < 1_007n ? undefined : (position - 7n) / 1_000n;
}
