import { beforeEach, describe, expect, test } from '@jest/globals';
import { customers } from '#projections/customers/customers.ts';
import { policies } from '#projections/policies/policies.ts';
import type { AnyProjection } from '#projections/projection.ts';
import { PROJECTIONS } from '#projections/registry.ts';
import * as sample from '#test/support/sample-events.ts';
import { MemoryEventStore } from '#test/support/memory-event-store.ts';
import { openTestReadModels, type TestReadModels } from '#test/support/test-read-models.ts';
import { waitForPosition, runTestProjector, startTestProjector } from '#test/support/test-projector.ts';
import type { Position } from '#stores/event-log/event-log.ts';
import { verifyDocuments } from '#service/compose/verify.ts';

const { appendSamples, sampleId, term } = sample;
const POLICY = sampleId('policy', 1);
const CUSTOMER = sampleId('customer', 1);
const NO_DIFFERENCE = { differing: 0, missing: 0, surplus: 0, differences: [], parked: 0, parked_documents: [] };

let eventStore: MemoryEventStore;
let readModels: TestReadModels;
/** Where the collections stood when the verification began. */
let upTo: Position;

/** Verifies with checkpoints at `upTo`, as if the documents had advanced since. */
const verifyAtCheckpoint = async (projections: readonly AnyProjection[] = PROJECTIONS) =>
  await verifyDocuments({
    eventStore,
    projections,
    readModels: {
      checkpoint: async () => await Promise.resolve({ position: upTo, eventId: '', latestRecordedAt: '' }),
      scan: async (collection, options) => await readModels.scan(collection, options),
    },
  });

async function alter(collection: string, key: string, change: (body: string) => string): Promise<void> {
  const stored = await readModels.get(collection, key);
  if (stored?.body === undefined) throw new Error(`${key} is not there`);
  readModels.put(collection, { ...stored, body: change(stored.body) });
}

beforeEach(async () => {
  eventStore = new MemoryEventStore();
  readModels = openTestReadModels();
  upTo = await appendSamples(
    eventStore,
    sample.customerRegistered(1),
    sample.customerRegistered(2),
    sample.policyImported(1, 1),
  );
});

describe('documents that have advanced since', () => {
  beforeEach(async () => {
    await appendSamples(
      eventStore,
      sample.policyTermImported(1, 1, term('2026-01-01', '2026-12-31', '120.00')),
      sample.policyImported(1, 2),
      sample.policyImported(2, 3),
    );
    await runTestProjector({ eventStore, readModels });
  });

  test('are compared at their own position and counted', async () => {
    // Two customers, three policies, six events, the transactions of the policies, one of each term, and the terms:
    // three of a customer, two of a policy. Customers, events and terms of before stay.
    expect(await verifyAtCheckpoint()).toEqual({ ...NO_DIFFERENCE, up_to: String(upTo), compared: 27, moved_on: 13 });
  });

  test('are reported when they were changed in the store', async () => {
    await alter('policies', POLICY, (body) => body.replace('120.00', '12.00'));
    await alter('customers', CUSTOMER, (body) => body.replace('Customer 1', 'Customer 9'));
    const { differences } = await verifyAtCheckpoint();
    expect(differences).toEqual(
      expect.arrayContaining([
        {
          collection: 'policies',
          key: POLICY,
          what: 'differing',
          pointers: expect.arrayContaining([expect.stringMatching('^/body/')]),
        },
        { collection: 'customers', key: CUSTOMER, what: 'differing', pointers: [expect.stringMatching('^/body/')] },
      ]),
    );
    expect(differences).toHaveLength(2);
  });

  test('are reported when what is answered of them was changed in the store', async () => {
    const [stored] = await readModels.scan('policies', { after: undefined, limit: 1 });
    if (stored?.view === undefined) throw new Error('there is no view');
    const { json } = stored.view;
    readModels.put('policies', { ...stored, view: { json: json.replace('active', 'accepted'), until: 'never' } });
    expect((await verifyAtCheckpoint()).differences).toEqual([
      { collection: 'policies', key: stored.key, what: 'differing', pointers: ['/view/json/status', '/view/until'] },
    ]);
  });

  test('are reported when the log has no event for them', async () => {
    const stored = await readModels.get('policies', POLICY);
    if (stored !== undefined) readModels.put('policies', { ...stored, key: 'another', order: 7n });
    expect((await verifyAtCheckpoint()).differences).toEqual([
      { collection: 'policies', key: 'another', what: 'surplus', pointers: [] },
    ]);
  });
});

test('names a parked document, which is no difference, also after it was refolded without a new event', async () => {
  let isBroken = true;
  const fold: typeof policies.fold = (document, event) => {
    if (isBroken && event.type === 'PolicyTermImported') throw new Error('a fault');
    return policies.fold(document, event);
  };
  const projections = [{ ...policies, fold }];
  upTo = await appendSamples(eventStore, sample.policyTermImported(1, 1, term('2026-01-01', '2026-12-31')));
  const projector = await startTestProjector({ eventStore, readModels, projections });
  await waitForPosition(projector, upTo);
  const event = { event_id: expect.any(String), event_type: 'PolicyTermImported.v1', position: String(upTo) };
  const parked = { reason: 'PolicyTermImported.v1 cannot be folded: Error', ...event };
  expect(await verifyAtCheckpoint(projections)).toMatchObject({
    ...NO_DIFFERENCE,
    parked: 1,
    parked_documents: [{ collection: 'policies', key: POLICY, ...parked }],
  });
  isBroken = false;
  await waitForPosition(projector, await appendSamples(eventStore, sample.retryRequested('policies', POLICY)));
  await projector.stop();
  expect(await readModels.get('policies', POLICY)).toMatchObject({ parked: undefined, position: upTo });
  expect(await verifyAtCheckpoint(projections)).toEqual({
    ...NO_DIFFERENCE,
    up_to: String(upTo),
    compared: 1,
    moved_on: 0,
  });
});

describe('more documents than a page', () => {
  const COUNT = 2_200;
  const projections = [customers];
  let keys: readonly string[];

  beforeEach(async () => {
    const events = Array.from({ length: COUNT }, (_, n) => sample.customerRegistered(n + 1));
    eventStore = new MemoryEventStore();
    upTo = await appendSamples(eventStore, ...events);
    await runTestProjector({ eventStore, readModels, projections });
    keys = (await readModels.scan('customers', { after: undefined, limit: COUNT })).map(({ key }) => key);
  });

  test('are compared in the order of their keys, whatever one side lacks', async () => {
    const stored = await readModels.get('customers', keys[0] ?? '');
    const surplus = ['!', `${keys[999]}!`, '~'];
    const missing = [0, 999, 1_000, COUNT - 1].map((n) => keys[n] ?? '');
    if (stored !== undefined)
      for (const [index, key] of surplus.entries())
        readModels.put('customers', { ...stored, key, order: BigInt(index) });
    for (const key of missing) readModels.remove('customers', key);
    const found = await verifyAtCheckpoint(projections);
    const keysOf = (what: string) => found.differences.flatMap((one) => (one.what === what ? [one.key] : []));
    expect(found).toMatchObject({ compared: COUNT - 1, differing: 0, missing: 4, surplus: 3 });
    expect([keysOf('missing'), keysOf('surplus')]).toEqual([missing, surplus]);
  });

  test('are all counted, and the first 1,000 differences named', async () => {
    for (const key of keys) await alter('customers', key, (body) => body.replace('Customer', 'customer'));
    const found = await verifyAtCheckpoint(projections);
    expect(found).toMatchObject({ compared: COUNT, differing: COUNT, missing: 0, surplus: 0 });
    expect(found.differences.map(({ key }) => key)).toEqual(keys.slice(0, 1_000));
  });
});
