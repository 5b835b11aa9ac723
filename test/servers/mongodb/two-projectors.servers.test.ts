import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { collectionsOf } from '../../../src/projector/start-projector.ts';
import { PROJECTIONS } from '../../../projections/registry.ts';
import { verifyDocuments } from '../../../src/composition/verify.ts';
import { openMongoReadModels } from '../../../src/read-models/mongodb/mongo-read-models.ts';
import type { ReadModels } from '../../../src/read-models/read-models.ts';
import { MemoryReadModels } from '../../support/memory-read-models.ts';
import { readAllDocuments, runTestProjector } from '../../support/test-projector.ts';
import { anyTakeover, runTakeover } from '../../support/two-projectors.ts';
import { describeOnMongodb, testDatabase } from '../support/mongodb.ts';

/** Each run creates all collections, which takes most of its time. */
const RUNS = 12;

describeOnMongodb('Two concurrent projectors on MongoDB', (server) => {
  test('after a paused leader resumes, the documents equal those of a fresh fold, byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(anyTakeover, async (takeover) => {
        const { url, drop } = testDatabase(server);
        const processes: ReadModels[] = [];
        const open = (): ReadModels => {
          const readModels = openMongoReadModels({ url });
          processes.push(readModels);
          return readModels;
        };
        try {
          const eventStore = await runTakeover(takeover, open);
          const fresh = new MemoryReadModels();
          await runTestProjector({ eventStore, readModels: fresh });
          const readModels = open();
          await readModels.open(collectionsOf(PROJECTIONS));
          expect(await readAllDocuments(readModels)).toEqual(await readAllDocuments(fresh));
          expect((await verifyDocuments({ eventStore, readModels, projections: PROJECTIONS })).differences).toEqual([]);
        } finally {
          await Promise.all(processes.map(async (readModels) => await readModels.close()));
          await drop();
        }
      }),
      { numRuns: RUNS },
    );
  });
});
