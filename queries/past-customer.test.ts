import { expect, test } from '@jest/globals';
import { appendTo } from '#stores/event-log/event-log.ts';
import {
  appendSamples,
  claimImported,
  customerRegistered,
  policyImported,
  sampleId,
  term,
  toEventToAppend,
} from '#test/support/sample-events.ts';
import { MemoryEventStore } from '#test/support/memory-event-store.ts';
import { openTestReadModels } from '#test/support/test-read-models.ts';
import { runTestProjector } from '#test/support/test-projector.ts';
import { customerAt } from './past-customer.ts';
import type { PointInTime } from './history/point-in-time.ts';

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

test('for an insurer the customer does not exist before its first policy, in either time', async () => {
  const eventStore = new MemoryEventStore();
  const readModels = openTestReadModels();
  const covered = policyImported(1, 1);
  await appendSamples(eventStore, customerRegistered(1));
  const later = toEventToAppend(covered, 0, '2026-04-01T10:00:00.000Z');
  await appendTo(eventStore, covered.stream, 'no_stream', [later]);
  await runTestProjector({ eventStore, readModels });
  const stored = await readModels.get('customers', sampleId('customer', 1));
  if (stored === undefined) throw new Error('the customer exists');
  const at = async (pointInTime: PointInTime, providerId = sampleId('provider', 1)): Promise<object> =>
    await customerAt(
      {
        reader: { role: 'insurer', providerId },
        readModels,
        eventStore,
        now: '2026-05-01T00:00:00.000Z',
        basePath: '',
        nextTurn: async () => await Promise.resolve(),
        replay: async (read) => await read(),
      },
      stored,
      pointInTime,
    );
  expect(await at({ known_at: '2026-04-01T10:00:00.000Z' })).toMatchObject({ purchased_policies_count: 1 });
  // The customer was registered between the first two.
  for (const known_at of ['2026-01-01T00:00:00.000Z', '2026-03-31T00:00:00.000Z'])
    await expect(at({ known_at })).rejects.toMatchObject({ code: 'customer_not_found' });
  await expect(at({ as_of: '2026-03-31' })).rejects.toMatchObject({ code: 'customer_not_found' });
  await expect(at({ as_of: '2026-04-30' }, sampleId('provider', 2))).rejects.toMatchObject({
    code: 'customer_not_found',
  });
});
