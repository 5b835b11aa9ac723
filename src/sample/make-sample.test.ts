import { beforeEach, describe, expect, test } from '@jest/globals';
import { CommandHarness } from '../../test/support/command-harness.ts';
import { logCatalogue } from '../../test/support/log-catalogue.ts';
import { type AdminCommands, adminCommands } from '../admin/admin-commands.ts';
import { type ClaimResource, foldClaimResource } from '../domain/claim/claim-resource.ts';
import { CLAIM_STATUSES, type ClaimEvent } from '../domain/claim/claim.ts';
import type { Recorded } from '../event-sourcing/event.ts';
import { type PolicyResource, foldPolicyResource } from '../domain/policy/policy-resource.ts';
import type { PolicyEvent } from '../domain/policy/policy.ts';
import { PRODUCT_TYPES } from '../domain/product/product.ts';
import { Refusal } from '../domain/refusals.ts';
import { makeSample } from './make-sample.ts';
import { finishSample } from './sample-once.ts';

let harness: CommandHarness;
let office: AdminCommands;
const today = '2026-03-01';
/** As every harness makes them. */
const tokenOf = new CommandHarness().ports.services.verificationToken;

beforeEach(() => {
  harness = new CommandHarness();
  office = officeOf(harness);
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
    await makeSample(office, today, tokenOf);
    const added = (await harness.log()).filter(({ type }) => type === 'ProductAdded');
    const types = added.map(({ data }) => (data as { productType: string }).productType);
    expect(types.toSorted()).toEqual([...PRODUCT_TYPES].toSorted());
    expect(new Set(added.map(({ data }) => (data as { providerId: string }).providerId)).size).toBe(3);
  });

  test.each([false, true])(
    'then policies and claims are in every state, and policies are of its products (test mode %p)',
    async (testMode) => {
      await makeSample(office, today, tokenOf);
      const policies = await viewsOf<PolicyResource>('policy', testMode, (view, event: Recorded<PolicyEvent>) =>
        foldPolicyResource(view, event),
      );
      expect(new Set(policies.map(({ status }) => status))).toEqual(new Set(['accepted', 'active', 'cancelled']));
      const waiting = policies.filter(({ status, inspection_required: needed }) => status === 'accepted' && needed);
      expect(waiting).toHaveLength(1);
      expect(policies.some(({ effective_through: through }) => through < today)).toBe(true);
      const claims = await viewsOf<ClaimResource>('claim', testMode, (view, event: Recorded<ClaimEvent>) =>
        foldClaimResource(view, event),
      );
      expect(new Set(claims.map(({ claim_status }) => claim_status))).toEqual(new Set(CLAIM_STATUSES));
      const named = new Set(claims.flatMap(({ claim_status_timeline: timeline }) => timeline.map(({ name }) => name)));
      expect(named.size).toBe(8);
      expect((await harness.log()).filter(({ type }) => type === 'ProductAdded')).toHaveLength(PRODUCT_TYPES.length);
    },
  );

  test.each([false, true])('then a policy of every product is bought with a quote (test mode %p)', async (testMode) => {
    await makeSample(office, today, tokenOf);
    const log = (await harness.log()).filter(({ metadata }) => metadata.testMode === testMode);
    const bought = log.filter(({ type }) => type === 'PolicyPurchased').map(({ data }) => data as Bought);
    expect(new Set(bought.map(({ product }) => product.type))).toEqual(new Set(PRODUCT_TYPES));
    expect(new Set(bought.map(({ status }) => status))).toEqual(new Set(['accepted', 'active']));
    expect(bought.filter(({ autoRenew }) => autoRenew).length).toBeGreaterThan(1);
    const types = log.map(({ type }) => type);
    for (const type of ['PolicyActivated', 'PolicyRenewed', 'PolicyCancelled', 'PolicyTermImported']) {
      expect(types).toContain(type);
    }
  });

  test('then its health policy can be claimed under, as the introduction does', async () => {
    const { live } = await makeSample(office, today, tokenOf);
    const claim_details = { claim_type: 'hospital', incident_date: today };
    const body = { environment_id: live.environmentId, policy_number: 'HAR-HEALTH-0001', claim_details };
    expect((await office.run('SubmitClaim', body)).created).toBe(true);
  });

  test('then its merchant is verified', async () => {
    await makeSample(office, today, tokenOf);
    expect((await harness.log()).filter(({ type }) => type === 'MerchantVerified')).toHaveLength(1);
  });

  test('given it is made twice with the same day, then the second time changes nothing', async () => {
    const first = await makeSample(office, today, tokenOf);
    const log = await harness.log();
    expect(await makeSample(office, today, tokenOf)).toEqual(first);
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
    expect(await finishSample(office, harness.records, { hadEvents: false, today, tokenOf }, tell)).toBe(true);
    expect(await finishSample(office, harness.records, { hadEvents: true, today, tokenOf }, tell)).toBe(false);
    expect(told).toEqual([[expect.stringMatching(/^sk_live_/), expect.stringMatching(/^sk_test_/)]]);
  });

  test('given it was broken off two months ago, then it is refused, because its quotes have expired', async () => {
    let run = 0;
    const dying = counting(office, (name) => {
      if (name === 'PurchasePolicy' && ++run === 3) throw new Error('killed');
    });
    await expect(finishSample(dying, harness.records, { hadEvents: false, today, tokenOf }, tell)).rejects.toThrow(
      'killed',
    );
    harness.now = '2026-05-01T08:00:00.000Z';
    const later = { hadEvents: true, today: '2026-05-01', tokenOf };
    await expect(finishSample(office, harness.records, later, tell)).rejects.toThrow(Refusal);
  });

  test('given the merchant cannot be verified for another reason than its link, then the sample says so', async () => {
    const busy = counting(office, (name) => {
      if (name === 'VerifyMerchant') throw new Refusal('busy', 'Try again');
    });
    await expect(makeSample(busy, today, tokenOf)).rejects.toThrow('Try again');
  });

  test('given a store with events of somebody else, then nothing is made', async () => {
    expect(await finishSample(office, harness.records, { hadEvents: true, today, tokenOf }, tell)).toBe(false);
    expect(await harness.log()).toEqual([]);
  });

  test('given it was broken off anywhere, then it goes on the next day with the day on which it began', async () => {
    const whole = new CommandHarness();
    let commands = 0;
    await makeSample(
      counting(officeOf(whole), () => void commands++),
      today,
      tokenOf,
    );
    for (let last = 1; last <= commands; last += 31) {
      told.length = 0;
      const each = new CommandHarness();
      let run = 0;
      const dying = counting(officeOf(each), () => {
        if (++run === last) throw new Error('killed');
      });
      await expect(finishSample(dying, each.records, { hadEvents: false, today, tokenOf }, tell)).rejects.toThrow(
        'killed',
      );
      each.now = '2026-03-02T08:00:00.000Z';
      const later = { hadEvents: true, today: '2026-03-02', tokenOf };
      expect(await finishSample(officeOf(each), each.records, later, tell)).toBe(true);
      expect(told).toHaveLength(1);
      const keys = Array.from({ length: 2 }, () => 'ApiKeyIssued');
      expect(await typesOf(each)).toEqual([...(await typesOf(whole)), ...keys].sort());
    }
  });
});

/** The types of all events, each as often as it occurs. */
async function typesOf(of: CommandHarness): Promise<string[]> {
  return (await of.log()).map(({ type }) => type).sort();
}

interface Bought {
  readonly product: { readonly type: string };
  readonly status: string;
  readonly autoRenew: boolean;
}

function officeOf({ ports, eventStore }: CommandHarness): AdminCommands {
  return adminCommands({ ...ports, services: { ...ports.services, catalogue: logCatalogue(eventStore) } });
}

/** The office, with something done before every command. */
function counting(real: AdminCommands, before: (name: string) => void): AdminCommands {
  return {
    ...real,
    run: async (name, body, key) => {
      before(name);
      return await real.run(name, body, key);
    },
  };
}
