import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { PROJECTIONS } from '../../projections/registry.ts';
import { verifyReadModels } from '../../src/projector/verify.ts';
import { MemoryReadModels } from '../support/memory-read-models.ts';
import { allDocuments, projected } from '../support/projector-world.ts';
import { anyTakeover, takeOver } from '../support/two-projectors.ts';

describe('two projectors at once', () => {
  test('given a paused leader that wakes up, then the documents are those of a fresh fold, byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(anyTakeover, async (takeover) => {
        const readModels = new MemoryReadModels();
        const eventStore = await takeOver(takeover, () => readModels);
        const fresh = new MemoryReadModels();
        await projected({ eventStore, readModels: fresh });
        expect(await allDocuments(readModels)).toEqual(await allDocuments(fresh));
        expect((await verifyReadModels({ eventStore, readModels, projections: PROJECTIONS })).differences).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});
