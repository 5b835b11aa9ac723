import { expect, test } from '@jest/globals';
import { policies } from '../../projections/policies/policies.ts';
import { MemoryEventStore } from '../../test/support/memory-event-store.ts';
import { MemoryReadModels } from '../../test/support/memory-read-models.ts';
import * as sample from '../../test/support/sample-events.ts';
import { runTestProjector } from '../../test/support/test-projector.ts';
import { StoreUnavailable } from '../store-unavailable.ts';
import { countKey } from '../read-models/read-models.ts';
import { verifyCounts } from './verify-counts.ts';

test('a document that gets its body by a retry is counted once, also when the retry is applied again', async () => {
  const [eventStore, readModels] = [new MemoryEventStore(), new MemoryReadModels()];
  let isBroken = true;
  const fold: typeof policies.fold = (document, event) => {
    if (isBroken) throw new Error('a fault');
    return policies.fold(document, event);
  };
  const projections = [{ ...policies, fold }];
  const list = { where: { test_mode: false }, limit: 0, offset: 0 };
  const key = countKey('test_mode', false);
  await sample.appendSamples(
    eventStore,
    sample.policyImported(1, 1),
    sample.policyTermImported(1, 1, sample.term('2026-01-01', '2026-12-31', '120.00')),
  );
  await runTestProjector({ eventStore, readModels, projections });
  expect(await readModels.getCounts('policies', [key])).toEqual([]);
  isBroken = false;
  const position = await sample.appendSamples(
    eventStore,
    sample.retryRequested('policies', sample.sampleId('policy', 1)),
  );
  let failures = 1;
  readModels.afterCounts = () => {
    if (failures-- > 0) throw new StoreUnavailable('the disk is full');
  };
  await runTestProjector({ eventStore, readModels, projections });
  await sample.appendSamples(eventStore, sample.policyCancelled(1, 1));
  await runTestProjector({ eventStore, readModels, projections });
  expect((await readModels.find('policies', list)).count).toBe(1);
  expect(await readModels.getCounts('policies', [key])).toEqual([{ key, number: 1, position }]);
  expect(await verifyCounts(readModels, projections)).toEqual([]);
});
