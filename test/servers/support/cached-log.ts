import type { EventStore, StoredEvent } from '#stores/event-log/event-log.ts';

/** Small enough for a timely response of a busy server. */
const PAGE = 1_000;

/** A cache of the log that reads each event from the store once. */
export class CachedLog {
  readonly #eventStore: EventStore;
  readonly #events: StoredEvent[] = [];

  constructor(eventStore: EventStore) {
    this.#eventStore = eventStore;
  }

  /** Reads new events and returns the whole log. */
  async events(): Promise<readonly StoredEvent[]> {
    for (;;) {
      const page = await this.#eventStore.readAll({ after: this.#events.at(-1)?.position, limit: PAGE });
      this.#events.push(...page);
      if (page.length < PAGE) return this.#events;
    }
  }

  /** Returns the store with `readAll` served from the cache. */
  asEventStore(): EventStore {
    const readAll: EventStore['readAll'] = async ({ after, limit }) => {
      const all = await this.events();
      const from = after === undefined ? 0 : all.findIndex(({ position }) => position > after);
      return from === -1 ? [] : all.slice(from, from + limit);
    };
    return new Proxy(this.#eventStore, {
      get: (store, name: keyof EventStore) => (name === 'readAll' ? readAll : store[name]?.bind(store)),
    });
  }
}
