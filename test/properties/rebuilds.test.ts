import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { PROJECTIONS } from '#projections/registry.ts';
import { loadState } from '#domain/events.ts';
import { rebuilds } from '#event-sourcing/rebuilds.ts';
import { REBUILDS_STREAM } from '#event-sourcing/system-events.ts';
import type { EndRebuild } from '#read-side/projector.ts';
import { buildIdOf } from '#read-side/rebuilds.ts';
import { PUBLISHED_POSITION } from '#stores/read-models/read-models.ts';
import { anyStep, performStep } from '../support/any-log.ts';
import { MemoryEventStore } from '../support/memory-event-store.ts';
import { openTestReadModels, type TestReadModels } from '../support/test-read-models.ts';
import * as sample from '../support/sample-events.ts';
import { readAllDocuments, runTestProjector, startTestProjector, waitForPosition } from '../support/test-projector.ts';
import { waitUntil } from '../support/wait-until.ts';

const NAMES = PROJECTIONS.map(({ name }) => name);
const steps = fc.array(anyStep, { minLength: 1, maxLength: 12 });
const schedule = fc.record({
  before: steps,
  during: steps,
  after: steps,
  collections: fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1 }),
  killedAfterTurns: fc.nat(60),
  batchSize: fc.integer({ min: 1, max: 9 }),
});

/**
 * Opens read models that check at every switch that no served document would become older than the published position.
 */
function openCheckedReadModels(): TestReadModels {
  const readModels = openTestReadModels();
  const { serveBuilds } = readModels;
  readModels.serveBuilds = async (builds) => {
    const published = (await readModels.checkpoint(PUBLISHED_POSITION)) ?? 0n;
    for (const [name, build] of Object.entries(builds)) {
      const beside = await readModels.openBuild(build, []);
      expect((await beside.checkpoint(name)) ?? 0n).toBeGreaterThanOrEqual(published);
    }
    await serveBuilds(builds);
  };
  return readModels;
}

test('live and rebuilt documents are equal byte for byte, for any events, also when the rebuild is killed', async () => {
  await fc.assert(
    fc.asyncProperty(schedule, async ({ before, during, after, collections, killedAfterTurns, batchSize }) => {
      const eventStore = new MemoryEventStore();
      const readModels = openCheckedReadModels();
      const perform = async (all: typeof before): Promise<void> => {
        for (const step of all) await performStep(eventStore, step);
      };
      const readRebuilds = async () => (await loadState(rebuilds, REBUILDS_STREAM, eventStore)) ?? [];
      const endRebuild: EndRebuild = async (rebuildId, outcome) => {
        await sample.appendSamples(eventStore, sample.rebuildEnded(rebuildId, outcome));
      };
      await perform(before);
      await runTestProjector({ eventStore, readModels });
      await sample.appendSamples(eventStore, sample.rebuildRequested(1, collections));
      const killed = await startTestProjector({ eventStore, readModels, batchSize, endRebuild });
      await perform(during);
      for (let turn = 0; turn < killedAfterTurns; turn++) await nextTurn();
      await killed.stop();
      const projector = await startTestProjector({ eventStore, readModels, batchSize, endRebuild });
      await perform(after);
      await waitUntil(async () => (await readRebuilds()).every(({ ended }) => ended !== undefined));
      await waitForPosition(projector, (await eventStore.lastPosition()) ?? 0n);
      await projector.stop();
      expect((await readRebuilds()).map(({ ended }) => ended?.outcome)).toEqual(['completed']);
      const build = buildIdOf(sample.sampleId('rebuild', 1));
      expect(await readModels.builds()).toEqual(
        Object.fromEntries([...collections, 'log_mark'].map((name) => [name, build])),
      );
      const fresh = openTestReadModels();
      await runTestProjector({ eventStore, readModels: fresh });
      expect(await readAllDocuments(readModels)).toEqual(await readAllDocuments(fresh));
    }),
    { numRuns: 60 },
  );
}, 60_000);
