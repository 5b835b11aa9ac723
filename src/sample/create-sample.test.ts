import { claimResourceOf } from '../../projections/claims/claim-resource.ts';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { CommandHarness } from '../../test/support/command-harness.ts';
import { logCatalogue } from '../../test/support/log-catalogue.ts';
import { type AdminCommands, adminCommands } from '../admin/admin-commands.ts';
import { type ClaimDocument, claims as claimsProjection } from '../../projections/claims/claims.ts';
import { CLAIM_STATUSES, TIMELINE_NAMES } from '../domain/claim/stages.ts';
import { type ClaimEvent } from '../domain/claim/claim-events.ts';
import type { RecordedEvent } from '../event-sourcing/event.ts';
import { policyViewOn } from '../../projections/policies/policy-resource.ts';
import type { PolicyEvent } from '../domain/policy/policy-events.ts';
import { evolvePolicy, type PolicyState } from '../domain/policy/policy.ts';
import { PRODUCT_TYPES } from '../domain/product/product.ts';
import { Refusal } from '../domain/refusals.ts';
import { createSample } from './create-sample.ts';
import { ensureSample } from './ensure-sample.ts';
import { PRODUCTS } from './products.ts';

let harness: CommandHarness;
let commands: AdminCommands;
const today = '2026-03-01';
const tokenOf = new CommandHarness().ports.services.verificationToken;

beforeEach(() => {
  harness = new CommandHarness();
  commands = adminCommandsOf(harness);
});

/** The views of all policies or claims of a mode, folded from the log. */
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
  test.each([false, true])('has policies and claims in every state (test mode %p)', async (testMode) => {
    await createSample(commands, today, tokenOf);
    const folded = await viewsOf<PolicyState>('policy', testMode, (view, event: RecordedEvent<PolicyEvent>) =>
      evolvePolicy(view, event),
    );
    const policies = folded.map((policy) => policyViewOn(policy, today));
    expect(new Set(policies.map(({ status }) => status))).toEqual(new Set(['accepted', 'active', 'cancelled']));
    const awaitingInspection = policies.filter(
      ({ status, inspection_required: inspectionRequired }) => status === 'accepted' && inspectionRequired,
    );
    expect(awaitingInspection).toHaveLength(1);
    expect(policies.some(({ effective_through: through }) => through < today)).toBe(true);
    const documents = await viewsOf<ClaimDocument>(
      'claim',
      testMode,
      (document, event: RecordedEvent<ClaimEvent>) => claimsProjection.fold(document, event) as ClaimDocument,
    );
    const claims = documents.map(({ claim }) => claimResourceOf(claim));
    expect(new Set(claims.map(({ claim_status }) => claim_status))).toEqual(new Set(CLAIM_STATUSES));
    const named = new Set(claims.flatMap(({ claim_status_timeline: timeline }) => timeline.map(({ name }) => name)));
    expect([...named].sort()).toEqual([...TIMELINE_NAMES].sort());
    expect((await harness.log()).filter(({ type }) => type === 'ProductAdded')).toHaveLength(PRODUCT_TYPES.length);
  });

  test.each([false, true])('has a bought policy of every product (test mode %p)', async (testMode) => {
    await createSample(commands, today, tokenOf);
    const log = (await harness.log()).filter(({ metadata }) => metadata.testMode === testMode);
    const bought = log.filter(({ type }) => type === 'PolicyPurchased').map(({ data }) => data as Bought);
    expect(new Set(bought.map(({ product }) => product.type))).toEqual(new Set(PRODUCT_TYPES));
    expect(new Set(bought.map(({ status }) => status))).toEqual(new Set(['accepted', 'active']));
    expect(bought.filter(({ autoRenew }) => autoRenew).length).toBeGreaterThan(1);
    const types = log.map(({ type }) => type);
    for (const type of ['PolicyActivated', 'PolicyRenewed', 'PolicyTermImported']) expect(types).toContain(type);
  });

  test.each([false, true])(
    'has a policy changed in the middle of a term, and cancelled and reinstated ones (test mode %p)',
    async (testMode) => {
      await createSample(commands, today, tokenOf);
      const log = (await harness.log()).filter(({ metadata }) => metadata.testMode === testMode) as PolicyLog;
      const changed = log.flatMap((event) => (event.type === 'PolicyChanged' ? event.data.terms : []));
      expect(changed.map(({ periods }) => periods.length)).toEqual([2]);
      const ends = log.flatMap((event) =>
        event.type === 'PolicyCancelled' || event.type === 'PolicyReinstated'
          ? [[event.type, 'refundRule' in event.data ? event.data.refundRule : null, event.stream] as const]
          : [],
      );
      expect(ends.map(([type, rule]) => [type, rule])).toEqual([
        ['PolicyCancelled', 'cooling_off'],
        ['PolicyCancelled', 'cooling_off'],
        ['PolicyReinstated', null],
        ['PolicyCancelled', 'pro_rata'],
      ]);
      expect(ends[2]?.[2]).toBe(ends[1]?.[2]);
    },
  );

  test('has products with a deductible, an age limit, rules for cancellations, a fee, a minimum and a tax', () => {
    const text = JSON.stringify(PRODUCTS);
    for (const member of [
      ...['deductible', 'min_age', 'max_age', 'cooling_off_days', 'minimum_retained'],
      ...['surcharge', 'minimum_premium', 'tax_percent'],
    ])
      expect(text).toContain(`"${member}":`);
  });

  test.each([false, true])(
    'has claims paid in parts after a deductible, reopened, denied after approval, and with a reversed payment (test mode %p)',
    async (testMode) => {
      await createSample(commands, today, tokenOf);
      const documents = await viewsOf<ClaimDocument>(
        'claim',
        testMode,
        (document, event: RecordedEvent<ClaimEvent>) => claimsProjection.fold(document, event) as ClaimDocument,
      );
      const claims = documents.map(({ claim }) => claimResourceOf(claim));
      const inParts = claims.filter(({ payments }) => payments.length === 2);
      expect(inParts.map(({ claim_amount, settlement }) => ({ claim_amount, ...settlement }))).toEqual([
        {
          ...{ claim_amount: '225000.00', deductible: '25000.00', approved_amount: '200000.00', offer_amount: null },
          ...{ paid_amount: '200000.00', outstanding: '0.00', limit: '5000000.00' },
        },
      ]);
      const reversed = claims.filter(({ payments }) => payments.some(({ reversed_on: on }) => on !== null));
      expect(reversed.map(({ claim_status, settlement }) => [claim_status, settlement.outstanding])).toEqual([
        ['approved', '18500.00'],
      ]);
      const courses = claims.map(({ timeline_utc }) => timeline_utc.map(({ name }) => name).join(', '));
      expect(courses).toContain('submitted, under review, pending approval, approved, denied');
      expect(courses).toContain('submitted, under review, denied, reopened');
    },
  );

  test('has a claim with a document under a bought policy', async () => {
    await createSample(commands, today, tokenOf);
    const filed = (await harness.log()).filter(({ type }) => type === 'ClaimSubmitted');
    const names = filed.flatMap(({ data }) =>
      (data as { documents: { name: string }[] }).documents.map(({ name }) => name),
    );
    expect(names).toEqual(['invoice.txt', 'invoice.txt']);
  });

  test('has a health policy that accepts the claim of the README in live mode only', async () => {
    const { live, test: inTest } = await createSample(commands, today, tokenOf);
    const claim_details = { claim_type: 'hospital', incident_date: today };
    const body = { environment_id: live.environmentId, policy_number: 'HAR-HEALTH-0001', claim_details };
    expect((await commands.run('SubmitClaim', body)).created).toBe(true);
    const withTheOtherKey = commands.run('SubmitClaim', { ...body, environment_id: inTest.environmentId });
    await expect(withTheOtherKey).rejects.toMatchObject({ code: 'policy_not_found' });
  });

  test('does not change when it is created again with the same day', async () => {
    const first = await createSample(commands, today, tokenOf);
    const log = await harness.log();
    expect(await createSample(commands, today, tokenOf)).toEqual(first);
    expect(await harness.log()).toEqual(log);
  });
});

describe('ensureSample', () => {
  const printed: string[][] = [];
  const print = (_sample: unknown, keys: { live: string; test: string }): void => {
    printed.push([keys.live, keys.test]);
  };
  beforeEach(() => {
    printed.length = 0;
  });

  test('prints keys once on an empty event store', async () => {
    expect(await ensureSample(commands, harness.records, { hadEvents: false, today, tokenOf }, print)).toBe(true);
    expect(await ensureSample(commands, harness.records, { hadEvents: true, today, tokenOf }, print)).toBe(false);
    expect(printed).toEqual([[expect.stringMatching(/^sk_live_/), expect.stringMatching(/^sk_test_/)]]);
  });

  test('fails for a sample that was interrupted two months ago, because its quotes have expired', async () => {
    let run = 0;
    const failingCommands = withHook(commands, (name) => {
      if (name === 'PurchasePolicy' && ++run === 3) throw new Error('killed');
    });
    await expect(
      ensureSample(failingCommands, harness.records, { hadEvents: false, today, tokenOf }, print),
    ).rejects.toThrow('killed');
    harness.now = '2026-05-01T08:00:00.000Z';
    const later = { hadEvents: true, today: '2026-05-01', tokenOf };
    await expect(ensureSample(commands, harness.records, later, print)).rejects.toThrow(Refusal);
  });

  test('fails when the verification fails for another reason than an expired link', async () => {
    const busy = withHook(commands, (name) => {
      if (name === 'VerifyMerchant') throw new Refusal('busy', 'Try again');
    });
    await expect(createSample(busy, today, tokenOf)).rejects.toThrow('Try again');
  });

  test('does nothing on an event store with other events', async () => {
    expect(await ensureSample(commands, harness.records, { hadEvents: true, today, tokenOf }, print)).toBe(false);
    expect(await harness.log()).toEqual([]);
  });

  test('completes an interrupted sample the next day as of its first day', async () => {
    const whole = new CommandHarness();
    let count = 0;
    await createSample(
      withHook(adminCommandsOf(whole), () => void count++),
      today,
      tokenOf,
    );
    for (let last = 1; last <= count; last += 31) {
      printed.length = 0;
      const each = new CommandHarness();
      let run = 0;
      const failingCommands = withHook(adminCommandsOf(each), () => {
        if (++run === last) throw new Error('killed');
      });
      await expect(
        ensureSample(failingCommands, each.records, { hadEvents: false, today, tokenOf }, print),
      ).rejects.toThrow('killed');
      each.now = '2026-03-02T08:00:00.000Z';
      const later = { hadEvents: true, today: '2026-03-02', tokenOf };
      expect(await ensureSample(adminCommandsOf(each), each.records, later, print)).toBe(true);
      expect(printed).toHaveLength(1);
      const keys = Array.from({ length: 2 }, () => 'ApiKeyIssued');
      expect(await typesOf(each)).toEqual([...(await typesOf(whole)), ...keys].sort());
    }
  });
});

/** The types of all events, each as often as it occurs. */
async function typesOf(of: CommandHarness): Promise<string[]> {
  return (await of.log()).map(({ type }) => type).sort();
}

type PolicyLog = readonly RecordedEvent<PolicyEvent>[];

interface Bought {
  readonly product: { readonly type: string };
  readonly status: string;
  readonly autoRenew: boolean;
}

function adminCommandsOf({ ports, eventStore }: CommandHarness): AdminCommands {
  return adminCommands({ ...ports, services: { ...ports.services, catalogue: logCatalogue(eventStore) } }, 'sample');
}

/** Calls `before` before every command. */
function withHook(real: AdminCommands, before: (name: string) => void): AdminCommands {
  return {
    ...real,
    run: async (name, body, key) => {
      before(name);
      return await real.run(name, body, key);
    },
  };
}
