import { MemoryEventStore } from '../support/memory-event-store.ts';
import { MemoryLeases } from '../support/memory-leases.ts';
import { describeEventStore } from './event-store.suite.ts';
import { describeLeases } from './records/leases.ts';

// The fakes of unit tests must pass the same suites as the adapters.

describeEventStore('in memory, for tests', async () => {
  let store = new MemoryEventStore();
  return {
    get store() {
      return store;
    },
    reopen: async () => {
      await store.close();
      store = new MemoryEventStore(store);
      return store;
    },
    dispose: async () => await store.close(),
  };
});

describeLeases('in memory, for tests', async () => await Promise.resolve(new MemoryLeases()));
