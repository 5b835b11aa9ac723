import { beforeEach, describe, expect, test } from '@jest/globals';
import { CommandHarness } from '../../test/support/command-harness.ts';
import { type BackOffice, backOffice } from '../back-office/back-office.ts';
import { type ClaimView, claimView } from '../domain/claim-view.ts';
import { CLAIM_STATUSES, type ClaimEvent } from '../domain/claim.ts';
import type { Recorded } from '../domain/event.ts';
import { type PolicyView, policyView } from '../domain/policy-view.ts';
import type { PolicyEvent } from '../domain/policy.ts';
import { PRODUCT_TYPES } from '../domain/product.ts';
import { makeSample } from './make-sample.ts';
import { finishSample } from './sample-once.ts';

let harness: CommandHarness;
let office: BackOffice;
const today = '2026-03-01';

beforeEach(() => {
  harness = new CommandHarness();
  office = backOffice(harness.ports);
});

/** The views of all policies or claims of a world, folded from the log. */
async function viewsOf<View>(
  category: string,
  testMode: boolean,
  fold: (view: View | undefined, event: never) => View,
) {
  const views = new Map<string, View>();
  for (const event of await harness.log()) {
    if (!event.stream.startsWith(`${category}-`) || event.metadata.testMode !== testMode) continue;
    if (/^(policyNumber|claimReference)/.test(event.stream)) continue;
    views.set(event.stream, fold(views.get(event.stream), event as never));
  }
  return [...views.values()];
}

describe('the sample', () => {
  test('then it has products of every type, and of every insurer', async () => {
    await makeSample(office, today);
    const added = (await harness.log()).filter(({ type }) => type === 'ProductAdded.v1');
    const types = added.map(({ data }) => (data as { productType: string }).productType);
    expect(types.toSorted()).toEqual([...PRODUCT_TYPES].toSorted());
    expect(new Set(added.map(({ data }) => (data as { providerId: string }).providerId)).size).toBe(3);
  });

  test.each([false, true])(
    'then policies and claims are in every state, and policies are of its products (test mode %p)',
    async (testMode) => {
      await makeSample(office, today);
      const policies = await viewsOf<PolicyView>('policy', testMode, (view, event: Recorded<PolicyEvent>) =>
        policyView(view, event),
      );
      expect(new Set(policies.map(({ status }) => status))).toEqual(new Set(['accepted', 'active', 'cancelled']));
      const claims = await viewsOf<ClaimView>('claim', testMode, (view, event: Recorded<ClaimEvent>) =>
        claimView(view, event),
      );
      expect(new Set(claims.map(({ claim_status }) => claim_status))).toEqual(new Set(CLAIM_STATUSES));
      const named = new Set(claims.flatMap(({ claim_status_timeline: timeline }) => timeline.map(({ name }) => name)));
      expect(named.size).toBe(8);
      expect((await harness.log()).filter(({ type }) => type === 'ProductAdded.v1')).toHaveLength(PRODUCT_TYPES.length);
    },
  );

  test('given it is made twice with the same day, then the second time changes nothing', async () => {
    const first = await makeSample(office, today);
    const log = await harness.log();
    expect(await makeSample(office, today)).toEqual(first);
    expect(await harness.log()).toEqual(log);
  });
});

describe('when the sample is made', () => {
  const told: string[][] = [];
  const tell = (_sample: unknown, keys: { live: string; test: string }): void => {
    told.push([keys.live, keys.test]);
  };
  beforeEach(() => {
    told.length = 0;
  });

  test('given an empty event store, then keys are told, and never again', async () => {
    expect(await finishSample(office, harness.records, { hadEvents: false, today }, tell)).toBe(true);
    expect(await finishSample(office, harness.records, { hadEvents: true, today }, tell)).toBe(false);
    expect(told).toEqual([[expect.stringMatching(/^sk_live_/), expect.stringMatching(/^sk_test_/)]]);
  });

  test('given a store with events of somebody else, then nothing is made', async () => {
    expect(await finishSample(office, harness.records, { hadEvents: true, today }, tell)).toBe(false);
    expect(await harness.log()).toEqual([]);
  });

  test('given it was broken off, then it goes on the next day with the day on which it began', async () => {
    let commands = 0;
    const dying: BackOffice = {
      ...office,
      run: async (name, body, key) => {
        if (++commands === 60) throw new Error('killed');
        return await office.run(name, body, key);
      },
    };
    await expect(finishSample(dying, harness.records, { hadEvents: false, today }, tell)).rejects.toThrow('killed');
    harness.now = '2026-03-02T08:00:00.000Z';
    const later = { hadEvents: true, today: '2026-03-02' };
    expect(await finishSample(office, harness.records, later, tell)).toBe(true);
    expect(told).toHaveLength(1);
    const registered = (await harness.log()).filter(({ type }) => type === 'MerchantRegistered.v1');
    expect(registered).toHaveLength(1);
  });
});
