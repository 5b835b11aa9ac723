import { expect, test } from '@jest/globals';
import {
  appendSamples,
  claimImported,
  customerRegistered,
  policyImported,
  sampleId,
  term,
} from '#test/support/sample-events.ts';
import { MemoryEventStore } from '#test/support/memory-event-store.ts';
import { openTestReadModels } from '#test/support/test-read-models.ts';
import { runTestProjector } from '#test/support/test-projector.ts';
import { customerAt } from './past-customer.ts';

/** More than one page of the store. */
const POLICIES = 120;

test('a customer of many policies shows the newest in force by the day, and lets other requests run after each', async () => {
  const eventStore = new MemoryEventStore();
  const readModels = openTestReadModels();
  const imported = Array.from({ length: POLICIES }, (_, index) => {
    // The last ten begin later.
    const year = index < POLICIES - 10 ? '2026' : '2027';
    const sample = policyImported(1, index, term(`${year}-01-01`, `${year}-12-31`));
    return { ...sample, data: { ...sample.data, effectiveAt: `${year}-01-01` } };
  });
  await appendSamples(eventStore, customerRegistered(1), ...imported, claimImported(1, 1, 1));
  await runTestProjector({ eventStore, readModels });
  const stored = await readModels.get('customers', sampleId('customer', 1));
  if (stored === undefined) throw new Error('the customer exists');
  let turns = 0;
  const resource = await customerAt(
    {
      reader: { role: 'admin' },
      readModels,
      eventStore,
      now: '2026-03-01T23:59:00.000Z',
      basePath: '',
      nextTurn: async () => {
        turns += 1;
        return await Promise.resolve();
      },
      replay: async (read) => await read(),
    },
    stored,
    { as_of: '2026-06-30' },
  );
  expect(resource).toMatchObject({
    purchased_policies_count: POLICIES - 10,
    active_policies_count: POLICIES - 10,
    active_claims_count: 1,
  });
  expect((resource as { readonly purchased_policies: readonly object[] }).purchased_policies).toHaveLength(100);
  expect(turns).toBeGreaterThan(POLICIES);
});
