import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { PROJECTIONS } from '#projections/registry.ts';
import type { EventStore } from '#stores/event-log/event-log.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { verifyDocuments } from '#service/compose/verify.ts';
import { anyStep, performStep } from '../support/any-log.ts';
import { MemoryEventStore } from '../support/memory-event-store.ts';
import { openTestReadModels, type TestReadModels } from '../support/test-read-models.ts';
import { readAllDocuments, runTestProjector } from '../support/test-projector.ts';

/** A disturbance of the projector before the next part of the log. */
interface Disturbance {
  readonly batchSize: number;
  readonly failingWrites: number;
  readonly failsAt: 'beforeWrite' | 'afterWrite';
  readonly losesCheckpoint: boolean;
  readonly deliversTwice: boolean;
}

const disturbance: fc.Arbitrary<Disturbance> = fc.record({
  batchSize: fc.integer({ min: 1, max: 9 }),
  failingWrites: fc.nat(2),
  failsAt: fc.constantFrom('beforeWrite', 'afterWrite'),
  losesCheckpoint: fc.boolean(),
  deliversTwice: fc.boolean(),
});
const sections = fc.array(fc.tuple(fc.array(anyStep, { minLength: 1, maxLength: 12 }), disturbance), {
  minLength: 1,
  maxLength: 5,
});

/** Wraps a log so that subscriptions deliver every message twice. */
function withDuplicateDelivery(store: MemoryEventStore): EventStore {
  const subscribe: EventStore['subscribe'] = async function* (options) {
    for await (const message of store.subscribe(options)) {
      yield message;
      yield message;
    }
  };
  return new Proxy<EventStore>(store, {
    get: (_store, name: keyof EventStore) =>
      name === 'subscribe' ? subscribe : (store as EventStore)[name]?.bind(store),
  });
}

async function runDisturbed(
  store: MemoryEventStore,
  readModels: TestReadModels,
  disturbance: Disturbance,
): Promise<void> {
  let failures = disturbance.failingWrites;
  readModels[disturbance.failsAt] = () => {
    if (failures-- > 0) throw new StoreUnavailable('the disk is full');
  };
  const eventStore = disturbance.deliversTwice ? withDuplicateDelivery(store) : store;
  await runTestProjector(
    { eventStore, readModels, batchSize: disturbance.batchSize },
    (await store.lastPosition()) ?? 0n,
  );
  readModels.beforeWrite = () => {};
  readModels.afterWrite = () => {};
  if (disturbance.losesCheckpoint) readModels.setCheckpoint(undefined);
}

describe('The projector', () => {
  test('creates the documents of a fresh fold, byte for byte, despite any disturbance', async () => {
    await fc.assert(
      fc.asyncProperty(sections, async (allSections) => {
        const eventStore = new MemoryEventStore();
        const readModels = openTestReadModels();
        for (const [steps, disturbance] of allSections) {
          for (const next of steps) await performStep(eventStore, next);
          await runDisturbed(eventStore, readModels, disturbance);
        }
        await runTestProjector({ eventStore, readModels });
        const expected = openTestReadModels();
        await runTestProjector({ eventStore, readModels: expected });
        expect(await readAllDocuments(readModels)).toEqual(await readAllDocuments(expected));
        expect((await verifyDocuments({ eventStore, readModels, projections: PROJECTIONS })).differences).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});
