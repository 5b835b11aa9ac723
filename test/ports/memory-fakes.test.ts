import { describe } from '@jest/globals';
import { MemoryEventStore } from '../support/memory-event-store.ts';
import { MemoryLeases } from '../support/memory-leases.ts';
import { MemoryReadModels } from '../support/memory-read-models.ts';
import { MemoryRecords } from '../support/memory-records.ts';
import { describeEventStore } from './event-store.suite.ts';
import { describeFencing } from './read-models/fencing.ts';
import { describeLeases } from './records/leases.ts';
import { describeRecords } from './records.suite.ts';

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

describeRecords('in memory, for tests', async () => {
  let records = new MemoryRecords();
  return {
    get records() {
      return records;
    },
    reopen: async () => {
      await records.close();
      records = new MemoryRecords(records);
      return records;
    },
    flipBit: async (sha256, row) => {
      const bytes = await records.getBlobRow(sha256, row);
      bytes?.set([(bytes[0] ?? 0) ^ 1]);
    },
    dispose: async () => await records.close(),
  };
});

describeLeases('in memory, for tests', async () => await Promise.resolve(new MemoryLeases()));

// The projector's tests stand on it, which find nothing and have one version of everything.
describe('read models: in memory, for tests', () => {
  describeFencing(async () => {
    const readModels = new MemoryReadModels();
    return { readModels, reopen: async () => readModels, dispose: async () => {} };
  });
});
