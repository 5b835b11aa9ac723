import type { EventStore, StoredEvent } from '../../../src/event-store/event-store.ts';

/** Few enough to be answered in time by a server that has much to do. */
const PAGE = 1_000;

/** A log, each event of which is read from the store once. */
export class LogSoFar {
  readonly #eventStore: EventStore;
  readonly #events: StoredEvent[] = [];

  constructor(eventStore: EventStore) {
    this.#eventStore = eventStore;
  }

  /** All that stands in the log by now. */
  async events(): Promise<readonly StoredEvent[]> {
    for (;;) {
      const page = await this.#eventStore.readAll({ after: this.#events.at(-1)?.position, limit: PAGE });
      this.#events.push(...page);
      if (page.length < PAGE) return this.#events;
    }
  }

  /** The store, for whoever reads its log again and again. */
  remembering(): EventStore {
    const readAll: EventStore['readAll'] = async ({ after, limit }) => {
      const all = await this.events();
      const from = after === undefined ? 0 : all.findIndex(({ position }) => position > after);
      return from === -1 ? [] : all.slice(from, from + limit);
    };
    return new Proxy(this.#eventStore, {
      get: (store, name: keyof EventStore) => (name === 'readAll' ? readAll : store[name].bind(store)),
    });
  }
}
