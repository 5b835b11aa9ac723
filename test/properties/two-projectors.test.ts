import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { PROJECTIONS } from '#projections/registry.ts';
import { verifyDocuments } from '#service/compose/verify.ts';
import { openTestReadModels } from '../support/test-read-models.ts';
import { readAllDocuments, runTestProjector } from '../support/test-projector.ts';
import { anyTakeover, runTakeover } from '../support/two-projectors.ts';

describe('Two concurrent projectors', () => {
  test('create the documents of a fresh fold, byte for byte, after a paused leader resumes', async () => {
    await fc.assert(
      fc.asyncProperty(anyTakeover, async (takeover) => {
        const readModels = openTestReadModels();
        const eventStore = await runTakeover(takeover, () => readModels);
        const fresh = openTestReadModels();
        await runTestProjector({ eventStore, readModels: fresh });
        expect(await readAllDocuments(readModels)).toEqual(await readAllDocuments(fresh));
        expect((await verifyDocuments({ eventStore, readModels, projections: PROJECTIONS })).differences).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});
