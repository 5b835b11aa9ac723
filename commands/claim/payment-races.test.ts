import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { claim, claimStream, type ClaimState } from '#domain/claim/claim.ts';
import type { ClaimEvent } from '#domain/claim/claim-events.ts';
import { policy, policyStream, type PolicyState } from '#domain/policy/policy.ts';
import type { PolicyEvent } from '#domain/policy/policy-events.ts';
import { Refusal } from '#domain/refusals.ts';
import { parseSum } from '#domain/values/money.ts';
import { foldState } from '#event-sourcing/aggregate.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { Completion } from '#processes/completion/completion.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { approved, coverage, filed, MOVES_TO, policyEvents } from '#test/support/claim-histories.ts';
import { CommandHarness, type CommandOptions } from '#test/support/command-harness.ts';
import { crashAfterAppends } from '#test/support/crash-after-appends.ts';
import { interceptAppends } from '#test/support/intercept-appends.ts';
import { MERCHANT_ID, sampleId } from '#test/support/sample-events.ts';
import { metricValue, type SchedulerHarness, startSchedulerHarness } from '#test/support/scheduler-harness.ts';
import { cancelPolicy } from '../policy/cancel-policy.ts';
import { reinstatePolicy } from '../policy/reinstate-policy.ts';
import { denyClaim } from './claim-moves.ts';
import { payClaim, reversePayment } from './claim-payments.ts';
import { addClaimNote } from './revise-claim.ts';

const LIMIT = '500.00';
const LATER = '2026-03-01T10:00:31.000Z';
const POLICY = policyStream(sampleId('policy', 1));
const claimId = (number: number) => sampleId('claim', number);

let h: CommandHarness;
let scheduler: SchedulerHarness;

beforeEach(async () => {
  h = new CommandHarness();
  scheduler = await startSchedulerHarness(h);
  await h.given(POLICY, ...policyEvents([coverage('Theft', LIMIT)]));
});
afterEach(async () => await scheduler.stopProjector());

/** Files a claim that is approved for an amount. */
async function givenApproved(number: number, amount: string): Promise<string> {
  const day = { effectiveAt: '2026-03-01' };
  const history = [filed({ amount }), ...MOVES_TO['pending approval'], approved(amount, day)];
  const own = history.map(({ type, data }) => ({ type, data: { ...data, claimId: claimId(number), ...day } }));
  await h.given(claimStream(claimId(number)), ...own);
  return claimId(number);
}

const claimOf = async (number: number) =>
  foldState(claim, (await h.events(claimStream(claimId(number)))) as RecordedEvent<ClaimEvent>[]) as ClaimState;
const policyHistory = async () => (await h.events(POLICY)) as RecordedEvent<PolicyEvent>[];
const booked = async () => (foldState(policy, await policyHistory()) as PolicyState).payments;
const types = async (stream: string) => (await h.events(stream)).map(({ type }) => type);
const complete = async () => await new Completion(scheduler.parts()).run();

describe('A payment whose process dies at any of its appends', () => {
  const IN_LOG = ['ClaimPaymentStarted', 'ClaimPaid'];
  /** Leaves the harness as the process left it, after each possible append. */
  async function* deaths(key?: string) {
    for (let append = 1; ; append++) {
      const id = await givenApproved(append, '10.00');
      const sent = key === undefined ? {} : { key: `${key}${append}` };
      const pay = async () => await h.run(payClaim, { claim_id: id, paid_amount: '10.00' }, sent);
      const { crashed } = await crashAfterAppends(h, append, pay);
      if (!crashed) return;
      yield { number: append, id, pay };
    }
  }
  const ended = async (number: number) => {
    expect((await types(claimStream(claimId(number)))).slice(-2)).toEqual(IN_LOG);
    expect(await claimOf(number)).toMatchObject({ stage: 'paid', pending: null, payments: [{ amount: '10.00' }] });
    expect((await booked()).filter((one) => one.claimId === claimId(number))).toHaveLength(1);
  };

  test('is finished 30 s later, and not before', async () => {
    for await (const { number } of deaths()) {
      const before = (await h.log()).length;
      h.now = '2026-03-01T10:00:29.999Z';
      await complete();
      expect((await h.log()).length).toBe(before);
      h.now = LATER;
      await complete();
      await ended(number);
      h.now = '2026-03-01T10:00:00.000Z';
    }
  });

  test('is finished by the next command on the claim, which is judged afterwards', async () => {
    for await (const { number, id } of deaths()) {
      const refusal = await h.expectRefusal(denyClaim, { claim_id: id, reason: 'fraud' });
      expect(refusal).toMatchObject({ code: 'claim_move_not_allowed', members: { allowed: ['ReopenClaim'] } });
      await ended(number);
    }
  });

  test('is finished by the client that sends it again, with the same answer', async () => {
    for await (const { number, pay } of deaths('k')) {
      const { result } = await pay();
      expect(result).toMatchObject({ claim_status: 'paid' });
      await ended(number);
      const before = await h.log();
      expect(await pay()).toMatchObject({ replayed: true, result });
      expect(await h.log()).toEqual(before);
    }
  });

  test('is reversed in the same way', async () => {
    for (let append = 1; ; append++) {
      h.now = '2026-03-01T23:59:50.000Z';
      const id = await givenApproved(append, '10.00');
      await h.run(payClaim, { claim_id: id });
      const paymentId = (await claimOf(append)).payments[0]?.paymentId;
      const reverse = { claim_id: id, payment_id: paymentId, reason: 'twice' };
      const { crashed } = await crashAfterAppends(h, append, async () => await h.run(reversePayment, reverse));
      h.now = '2026-03-02T00:00:30.000Z';
      await complete();
      const reversedOn = { paymentId, reversedOn: '2026-03-01' };
      expect(await claimOf(append)).toMatchObject({ stage: 'approved', pending: null, payments: [reversedOn] });
      expect(await booked()).toEqual([]);
      if (!crashed) return;
    }
  });
});

describe('A payment that the policy refuses after a race', () => {
  /** Books 495.00 by another claim right after the first payment was decided. */
  async function race(sent: CommandOptions) {
    const id = await givenApproved(1, '10.00');
    await givenApproved(2, '495.00');
    let isFirst = true;
    const restore = interceptAppends(h.eventStore, async (append, { stream }) => {
      const result = await append();
      if (isFirst && stream === claimStream(id)) {
        isFirst = false;
        await h.run(payClaim, { claim_id: claimId(2) });
      }
      return result;
    });
    const pay = async () => await h.expectRefusal(payClaim, { claim_id: id }, sent);
    const refusal = await pay();
    restore();
    return { refusal, pay };
  }
  const FIELDS = {
    code: 'amount_too_high',
    fields: [{ field: 'paid_amount', message: 'must be at most 5.00, what is left of the limit of the coverage' }],
    members: { limit: '5.00' },
  };

  test('is rejected, and the claim can go on', async () => {
    const { refusal } = await race({});
    expect(refusal).toMatchObject(FIELDS);
    expect(await claimOf(1)).toMatchObject({ stage: 'approved', pending: null, payments: [] });
    expect((await types(POLICY)).slice(-2)).toEqual(['ClaimPaymentBooked', 'ClaimPaymentRefused']);
    await h.run(denyClaim, { claim_id: claimId(1), reason: 'fraud' });
  });

  test('has the same answer whenever it is sent again, also when more is left by then', async () => {
    const { refusal, pay } = await race({ key: 'k' });
    const [payment] = await booked();
    await h.run(reversePayment, { claim_id: claimId(2), payment_id: payment?.paymentId, reason: 'twice' });
    const before = await h.log();
    const again = await pay();
    expect(again).toMatchObject(FIELDS);
    expect(again.message).toBe(refusal.message);
    expect(await h.log()).toEqual(before);
  });
});

test('a payment that the policy has refused is not booked later, when more is left', async () => {
  await givenApproved(1, '10.00');
  await givenApproved(2, '495.00');
  await crashAfterAppends(h, 1, async () => await h.run(payClaim, { claim_id: claimId(1) }));
  await h.run(payClaim, { claim_id: claimId(2) });
  h.now = LATER;
  // The refusal is recorded on the policy, and not yet on the claim.
  await crashAfterAppends(h, 1, complete);
  expect((await types(POLICY)).at(-1)).toBe('ClaimPaymentRefused');
  const [payment] = await booked();
  await h.run(reversePayment, { claim_id: claimId(2), payment_id: payment?.paymentId, reason: 'twice' });
  await complete();
  expect((await types(claimStream(claimId(1)))).at(-1)).toBe('ClaimPaymentRejected');
  expect(await booked()).toEqual([]);
});

test('a payment that cannot be finished holds up no other', async () => {
  for (const number of [1, 2]) {
    const id = await givenApproved(number, '10.00');
    await crashAfterAppends(h, 1, async () => await h.run(payClaim, { claim_id: id }));
  }
  h.now = LATER;
  const restore = interceptAppends(h.eventStore, async (append, { stream, events }) => {
    if (stream === POLICY && JSON.stringify(events).includes(claimId(1))) throw new Error('does not fit');
    return await append();
  });
  const parts = scheduler.parts();
  await new Completion(parts).run();
  expect([(await claimOf(1)).pending?.kind, (await claimOf(2)).stage]).toEqual(['payment', 'paid']);
  expect(await metricValue(parts.metrics, 'surety_completion_failures_total')).toBe(1);
  restore();
  await complete();
  expect((await claimOf(1)).stage).toBe('paid');
});

/** A generator of numbers below 1, the same for a seed. */
function numbersOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

describe('64 payments of eight claims at once, with kills, denials, reversals, cancellations and reinstatements', () => {
  const claims = [1, 2, 3, 4, 5, 6, 7, 8];
  const environment = { environmentId: 1, merchantId: MERCHANT_ID, testMode: false };
  const policy_id = sampleId('policy', 1);
  const cancellation = { policy_id, cancellation_reason: 'sold', effective_on: '2026-01-31' };
  /** What has happened in all runs: the test would show nothing if one of these never did. */
  const happened = new Map<string, number>();
  const count = (what: string) => happened.set(what, (happened.get(what) ?? 0) + 1);

  const reverseLast = async (number: number) => {
    const payment_id = (await claimOf(number)).payments.at(-1)?.paymentId ?? policy_id;
    await h.run(reversePayment, { claim_id: claimId(number), payment_id, reason: 'twice' });
  };
  const pay = async (number: number) => await h.run(payClaim, { claim_id: claimId(number), paid_amount: '25.00' });
  const commands = [
    ...Array.from({ length: 64 }, (_, index) => async () => await pay((index % 8) + 1)),
    ...claims.map((number) => async () => await reverseLast(number)),
    ...claims.map((number) => async () => await h.run(addClaimNote, { claim_id: claimId(number), text: 'x' })),
    ...[6, 7, 8].map((number) => async () => await h.run(denyClaim, { claim_id: claimId(number), reason: 'fraud' })),
  ];
  const ofPolicy = [
    ...[1, 2, 3].map(() => async () => await h.run(cancelPolicy, cancellation, { environment })),
    ...[1, 2, 3].map(() => async () => await h.run(reinstatePolicy, { policy_id, reason: 'kept' })),
  ];

  /** Runs all commands at once, each begun and each append made after a while, and some killed before or after it. */
  async function runAll(next: () => number): Promise<void> {
    const wait = async (turns: number) => {
      for (let turn = next() * turns; turn > 0; turn--) await nextTurn();
    };
    const restore = interceptAppends(h.eventStore, async (append) => {
      await wait(4);
      const fate = next();
      if (fate < 0.02) throw new StoreUnavailable('killed before the append');
      const result = await append();
      if (fate > 0.94) throw new StoreUnavailable('killed after the append');
      return result;
    });
    const run = (turns: number) => async (command: () => Promise<unknown>) => {
      await wait(turns);
      await command();
    };
    // The policy can be cancelled as of a day before the incident only until something is paid for it.
    const all = [...commands.map(run(60)), ...ofPolicy.map(run(10))];
    for (const outcome of await Promise.allSettled(all)) {
      const reason = outcome.status === 'rejected' ? (outcome.reason as Error) : undefined;
      if (reason instanceof Refusal) count(reason.code);
      else if (reason instanceof StoreUnavailable) count(reason.message);
      else expect(reason).toBeUndefined();
    }
    for (const { pending } of await Promise.all(claims.map(claimOf))) if (pending !== null) count(pending.kind);
    h.now = LATER;
    await complete().catch(() => undefined);
    restore();
  }

  async function checkBooks(): Promise<void> {
    const history = await policyHistory();
    for (const { type } of history) count(type);
    history.forEach((_, index) => {
      const { payments: then } = foldState(policy, history.slice(0, index + 1)) as PolicyState;
      const sum = then.reduce((total, { amount }) => total + parseSum(amount), 0n);
      expect(sum).toBeLessThanOrEqual(parseSum(LIMIT));
    });
    const states = await Promise.all(claims.map(claimOf));
    expect(states.filter(({ pending }) => pending !== null)).toEqual([]);
    const paid = states.flatMap(({ payments: all }) => all.filter(({ reversedOn }) => reversedOn === null));
    const facts = (all: readonly { readonly paymentId: string; readonly amount: string }[]) =>
      all.map(({ paymentId, amount }) => `${paymentId} ${amount}`).sort();
    expect(facts(await booked())).toEqual(facts(paid));
  }

  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])('pass no limit, and leave nothing behind (%d)', async (seed) => {
    for (const number of claims) await givenApproved(number, '200.00');
    await runAll(numbersOf(seed));
    await complete();
    await checkBooks();
  });

  test('of which all that can happen has happened', () => {
    const kinds = [
      'killed before the append',
      'killed after the append',
      'payment',
      'reversal',
      'ClaimPaymentBooked',
      'ClaimPaymentRefused',
      'ClaimPaymentUnbooked',
      'PolicyCancelled',
      'PolicyReinstated',
      'amount_too_high',
      'claim_paid_after_day',
      'incident_no_longer_covered',
      'claim_move_not_allowed',
    ];
    expect(kinds.filter((kind) => !happened.has(kind))).toEqual([]);
  });
});
