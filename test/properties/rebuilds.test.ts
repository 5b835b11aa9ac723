import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { anyStep, performStep } from '../support/any-log.ts';
import { MemoryEventStore } from '../support/memory-event-store.ts';
import { openTestReadModels, type TestReadModels } from '../support/test-read-models.ts';
import * as sample from '../support/sample-events.ts';
import { readAllDocuments, runTestProjector, startTestProjector, waitForPosition } from '../support/test-projector.ts';
import { waitUntil } from '../support/wait-until.ts';

const steps = fc.array(anyStep, { minLength: 1, maxLength: 12 });
const schedule = fc.record({
  before: steps,
  during: steps,
  after: steps,
  /** Whether another rebuild is requested after the kill. */
  isRequestedAgain: fc.boolean(),
  losesServed: fc.boolean(),
  killedAfterTurns: fc.nat(60),
  batchSize: fc.integer({ min: 1, max: 9 }),
});

/** Opens read models that check at every switch that no served document becomes older. */
function openCheckedReadModels(): TestReadModels {
  const readModels = openTestReadModels();
  const { serve } = readModels;
  readModels.serve = async (number, isReady) =>
    await serve(number, async () => {
      const isBuilt = await isReady();
      const served = (await readModels.checkpoint())?.position ?? 0n;
      const built = (await (await readModels.takeOver(number)).checkpoint())?.position ?? 0n;
      if (isBuilt) expect(built).toBeGreaterThanOrEqual(served);
      return isBuilt;
    });
  return readModels;
}

test('live and rebuilt documents are equal byte for byte, for any events, also when the rebuild is killed', async () => {
  await fc.assert(
    fc.asyncProperty(schedule, async (given) => {
      const { before, during, after, isRequestedAgain, losesServed, killedAfterTurns, batchSize } = given;
      const eventStore = new MemoryEventStore();
      const readModels = openCheckedReadModels();
      const perform = async (all: typeof before): Promise<void> => {
        for (const step of all) await performStep(eventStore, step);
      };
      await perform(before);
      await runTestProjector({ eventStore, readModels });
      await sample.appendSamples(eventStore, sample.rebuildRequested(1));
      const killed = await startTestProjector({ eventStore, readModels, batchSize });
      await perform(during);
      for (let turn = 0; turn < killedAfterTurns; turn++) await nextTurn();
      await killed.stop();
      if (losesServed) await readModels.lose();
      if (isRequestedAgain) await sample.appendSamples(eventStore, sample.rebuildRequested(2));
      const projector = await startTestProjector({ eventStore, readModels, batchSize });
      await perform(after);
      const newest = isRequestedAgain ? 2 : 1;
      await waitUntil(async () => (await readModels.state()).served === newest);
      await waitForPosition(projector, (await eventStore.lastPosition()) ?? 0n);
      await projector.stop();
      const fresh = openTestReadModels();
      await runTestProjector({ eventStore, readModels: fresh });
      expect(await readAllDocuments(readModels)).toEqual(await readAllDocuments(fresh));
    }),
    { numRuns: 60 },
  );
}, 60_000);
