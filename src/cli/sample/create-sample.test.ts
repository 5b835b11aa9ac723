import { claimResourceOf } from '#projections/claims/claim-resource.ts';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { CommandHarness } from '#test/support/command-harness.ts';
import { logCatalogue } from '#test/support/log-catalogue.ts';
import { type PlatformCommands, platformCommands } from '../platform-commands.ts';
import { type ClaimDocument, claims as claimsProjection } from '#projections/claims/claims.ts';
import { CLAIM_STATUSES, TIMELINE_NAMES } from '#domain/claim/stages.ts';
import { type ClaimEvent } from '#domain/claim/claim-events.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { policyViewOn } from '#projections/policies/policy-resource.ts';
import type { PolicyEvent } from '#domain/policy/policy-events.ts';
import { evolvePolicy, type PolicyState } from '#domain/policy/policy.ts';
import { PRODUCT_TYPES } from '#domain/product/product.ts';
import { Refusal } from '#domain/refusals.ts';
import { createSample, type Sample, SAMPLE_CONTENT } from './create-sample.ts';
import { ensureSample } from './ensure-sample.ts';
import { PRODUCTS } from './products.ts';

const today = '2026-03-01';
const tokenOf = new CommandHarness().ports.services.verificationToken;

/** The sample, and the log as it was when the sample was complete: tests that append do not change it. */
let harness: CommandHarness;
let commands: PlatformCommands;
let sample: Sample;
let log: Awaited<ReturnType<CommandHarness['log']>>;

beforeAll(async () => {
  harness = new CommandHarness();
  commands = platformCommandsOf(harness);
  sample = await createSample(commands, today, tokenOf);
  log = await harness.log();
});

/** The views of all policies or claims of a mode, folded from the log. */
function viewsOf<View>(category: string, testMode: boolean, fold: (view: View | undefined, event: never) => View) {
  const views = new Map<string, View>();
  for (const event of log) {
    if (!event.stream.startsWith(`${category}-`) || event.metadata.testMode !== testMode) continue;
    if (/^(policyNumber|claimReference)/.test(event.stream)) continue;
    views.set(event.stream, fold(views.get(event.stream), event as never));
  }
  return [...views.values()];
}

describe('the sample', () => {
  test.each([false, true])('has policies and claims in every state (test mode %p)', (testMode) => {
    const folded = viewsOf<PolicyState>('policy', testMode, (view, event: RecordedEvent<PolicyEvent>) =>
      evolvePolicy(view, event),
    );
    const policies = folded.map((policy) => policyViewOn(policy, today));
    expect(new Set(policies.map(({ status }) => status))).toEqual(new Set(['accepted', 'active', 'cancelled']));
    const awaitingInspection = policies.filter(
      ({ status, inspection_required: inspectionRequired }) => status === 'accepted' && inspectionRequired,
    );
    expect(awaitingInspection).toHaveLength(1);
    expect(policies.some(({ effective_through: through }) => through < today)).toBe(true);
    const documents = viewsOf<ClaimDocument>(
      'claim',
      testMode,
      (document, event: RecordedEvent<ClaimEvent>) => claimsProjection.fold(document, event) as ClaimDocument,
    );
    const claims = documents.map(({ claim }) => claimResourceOf(claim));
    expect(new Set(claims.map(({ claim_status }) => claim_status))).toEqual(new Set(CLAIM_STATUSES));
    const named = new Set(claims.flatMap(({ claim_status_timeline: timeline }) => timeline.map(({ name }) => name)));
    expect([...named].sort()).toEqual([...TIMELINE_NAMES].sort());
    expect(log.filter(({ type }) => type === 'ProductAdded')).toHaveLength(PRODUCT_TYPES.length);
  });

  test.each([false, true])('has a bought policy of every product (test mode %p)', (testMode) => {
    const ofMode = log.filter(({ metadata }) => metadata.testMode === testMode);
    const bought = ofMode.filter(({ type }) => type === 'PolicyPurchased').map(({ data }) => data as Bought);
    expect(new Set(bought.map(({ product }) => product.type))).toEqual(new Set(PRODUCT_TYPES));
    expect(new Set(bought.map(({ status }) => status))).toEqual(new Set(['accepted', 'active']));
    expect(bought.filter(({ autoRenew }) => autoRenew).length).toBeGreaterThan(1);
    const types = ofMode.map(({ type }) => type);
    for (const type of ['PolicyActivated', 'PolicyRenewed', 'PolicyTermImported']) expect(types).toContain(type);
  });

  test.each([false, true])(
    'has a policy changed in the middle of a term, and cancelled and reinstated ones (test mode %p)',
    (testMode) => {
      const ofMode = log.filter(({ metadata }) => metadata.testMode === testMode) as PolicyLog;
      const changed = ofMode.flatMap((event) => (event.type === 'PolicyChanged' ? event.data.terms : []));
      expect(changed.map(({ periods }) => periods.length)).toEqual([2]);
      const bought = new Set(ofMode.flatMap(({ type, stream }) => (type === 'PolicyPurchased' ? [stream] : [])));
      const endings = ofMode.filter(({ stream }) => bought.has(stream));
      const ends = endings.flatMap((event) =>
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
      'deductible',
      'min_age',
      'max_age',
      'cooling_off_days',
      'minimum_retained',
      'surcharge',
      'minimum_premium',
      'tax_percent',
    ])
      expect(text).toContain(`"${member}":`);
  });

  test.each([false, true])(
    'has claims paid in parts after a deductible, reopened, denied after approval, and with a reversed payment (test mode %p)',
    (testMode) => {
      const documents = viewsOf<ClaimDocument>(
        'claim',
        testMode,
        (document, event: RecordedEvent<ClaimEvent>) => claimsProjection.fold(document, event) as ClaimDocument,
      );
      const claims = documents.map(({ claim }) => claimResourceOf(claim));
      const inParts = claims.filter(({ payments }) => payments.length === 2);
      expect(inParts.map(({ claim_amount, settlement }) => ({ claim_amount, ...settlement }))).toEqual([
        {
          claim_amount: '225000.00',
          deductible: '25000.00',
          approved_amount: '200000.00',
          offer_amount: null,
          paid_amount: '200000.00',
          outstanding: '0.00',
          limit: '5000000.00',
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

  test('has a claim with a document under a bought policy', () => {
    const filed = log.filter(({ type }) => type === 'ClaimSubmitted');
    const names = filed.flatMap(({ data }) =>
      (data as { documents: { name: string }[] }).documents.map(({ name }) => name),
    );
    expect(names).toEqual(['invoice.txt', 'invoice.txt']);
  });

  test('has a health policy that accepts the claim of the README in live mode only', async () => {
    const { live, test: inTest } = sample;
    const claim_details = { claim_type: 'hospital', incident_date: today };
    const body = { environment_id: live.environmentId, policy_number: 'HAR-HEALTH-0001', claim_details };
    expect((await commands.run('SubmitClaim', body)).created).toBe(true);
    const withTheOtherKey = commands.run('SubmitClaim', { ...body, environment_id: inTest.environmentId });
    await expect(withTheOtherKey).rejects.toMatchObject({ code: 'policy_not_found' });
  });

  test('does not change when it is created again with the same day', async () => {
    const before = await harness.log();
    expect(await createSample(commands, today, tokenOf)).toEqual(sample);
    expect(await harness.log()).toEqual(before);
  });

  test('has in live mode a book of 14 months: terms that began in nearly all of them, renewals due within 30 days', () => {
    const folded = viewsOf<PolicyState>('policy', false, (view, event: RecordedEvent<PolicyEvent>) =>
      evolvePolicy(view, event),
    );
    const starts = folded.flatMap(({ terms }) => terms.map(({ from }) => from)).filter((from) => from <= today);
    const months = new Set(starts.map((day) => day.slice(0, 7)));
    expect([...months].filter((month) => month >= '2025-01').length).toBeGreaterThanOrEqual(13);
    const policies = folded.map((policy) => policyViewOn(policy, today));
    const ending = policies.filter(({ effective_through: through, status }) => {
      return status === 'active' && through >= today && through <= '2026-03-31';
    });
    expect(new Set(ending.map(({ auto_renew: renews }) => renews))).toEqual(new Set([true, false]));
    expect(ending.length).toBeGreaterThanOrEqual(6);
  });

  test('has claims filed and resolved over the months, recorded on the day of the sample', () => {
    const imported = log.filter(({ type, metadata }) => type === 'ClaimImported' && !metadata.testMode);
    const months = new Set(imported.map(({ data }) => (data as { effectiveAt: string }).effectiveAt.slice(0, 7)));
    expect(months.size).toBeGreaterThanOrEqual(11);
    expect(new Set(log.map(({ metadata }) => metadata.recordedAt.slice(0, 10)))).toEqual(new Set([today]));
  });

  test('has names in several scripts', () => {
    const names = log
      .filter(({ type }) => type === 'CustomerRegistered')
      .map(({ data }) => (data as { fullName: string }).fullName);
    for (const script of ['Latin', 'Greek', 'Cyrillic', 'Arabic', 'Hebrew', 'Devanagari', 'Han', 'Hangul'])
      expect(names.some((name) => new RegExp(`\\p{Script=${script}}`, 'u').test(name))).toBe(true);
  });
});

describe('ensureSample', () => {
  const printed: string[][] = [];
  const print = (_sample: unknown, keys: { live: string; test: string }): void => {
    printed.push([keys.live, keys.test]);
  };
  const messages: unknown[][] = [];
  const logger = { info: (...line: unknown[]) => void messages.push(line) };
  const first = { hadEvents: false, today, tokenOf, log: logger };
  let empty: CommandHarness;
  let onEmpty: PlatformCommands;
  beforeEach(() => {
    printed.length = 0;
    messages.length = 0;
    empty = new CommandHarness();
    onEmpty = platformCommandsOf(empty);
  });

  test('prints keys once on an empty event store', async () => {
    expect(await ensureSample(onEmpty, empty.records, first, print)).toBe(true);
    expect(await ensureSample(onEmpty, empty.records, { ...first, hadEvents: true }, print)).toBe(false);
    expect(printed).toEqual([[expect.stringMatching(/^sk_live_/), expect.stringMatching(/^sk_test_/)]]);
    expect(messages).toEqual([[SAMPLE_CONTENT, 'Creating the sample data']]);
  });

  test('fails for a sample that was interrupted two months ago, because its quotes have expired', async () => {
    let run = 0;
    const failingCommands = withHook(onEmpty, (name) => {
      if (name === 'PurchasePolicy' && ++run === 3) throw new Error('killed');
    });
    await expect(ensureSample(failingCommands, empty.records, first, print)).rejects.toThrow('killed');
    empty.now = '2026-05-01T08:00:00.000Z';
    const later = { ...first, hadEvents: true, today: '2026-05-01' };
    await expect(ensureSample(onEmpty, empty.records, later, print)).rejects.toThrow(Refusal);
  });

  test('fails when the verification fails for another reason than an expired link', async () => {
    const busy = withHook(onEmpty, (name) => {
      if (name === 'VerifyMerchant') throw new Refusal('busy', 'Try again');
    });
    await expect(createSample(busy, today, tokenOf)).rejects.toThrow('Try again');
  });

  test('does nothing on an event store with other events', async () => {
    expect(await ensureSample(onEmpty, empty.records, { ...first, hadEvents: true }, print)).toBe(false);
    expect(await empty.log()).toEqual([]);
    expect(messages).toEqual([]);
  });

  test('completes an interrupted sample the next day as of its first day', async () => {
    const names: string[] = [];
    await createSample(
      withHook(onEmpty, (name) => void names.push(name)),
      today,
      tokenOf,
    );
    const complete = [...typesOf(await empty.log()), 'ApiKeyIssued', 'ApiKeyIssued'].sort();
    // Before the verification, whose link expires; before a purchase, whose quote is old; and in the claims.
    const kinds = ['VerifyMerchant', 'PurchasePolicy', 'PayClaim', 'ImportClaim'];
    for (const last of kinds.map((kind) => names.lastIndexOf(kind) + 1)) {
      expect(last).toBeGreaterThan(0);
      printed.length = 0;
      const each = new CommandHarness();
      let run = 0;
      const failingCommands = withHook(platformCommandsOf(each), () => {
        if (++run === last) throw new Error('killed');
      });
      await expect(ensureSample(failingCommands, each.records, first, print)).rejects.toThrow('killed');
      each.now = '2026-03-02T08:00:00.000Z';
      const later = { ...first, hadEvents: true, today: '2026-03-02' };
      expect(await ensureSample(platformCommandsOf(each), each.records, later, print)).toBe(true);
      expect(printed).toHaveLength(1);
      expect(typesOf(await each.log())).toEqual(complete);
    }
  });
});

/** The types of all events, each as often as it occurs. */
function typesOf(events: typeof log): string[] {
  return events.map(({ type }) => type).sort();
}

type PolicyLog = readonly RecordedEvent<PolicyEvent>[];

interface Bought {
  readonly product: { readonly type: string };
  readonly status: string;
  readonly autoRenew: boolean;
}

function platformCommandsOf({ ports, eventStore }: CommandHarness): PlatformCommands {
  return platformCommands({ ...ports, services: { ...ports.services, catalogue: logCatalogue(eventStore) } }, 'sample');
}

/** Calls `before` before every command. */
function withHook(real: PlatformCommands, before: (name: string) => void): PlatformCommands {
  return {
    ...real,
    run: async (name, body, key) => {
      before(name);
      return await real.run(name, body, key);
    },
  };
}
