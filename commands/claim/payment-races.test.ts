import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { claim, claimStream, type ClaimState } from '../../src/domain/claim/claim.ts';
import type { ClaimEvent } from '../../src/domain/claim/claim-events.ts';
import { policy, policyStream, type PolicyState } from '../../src/domain/policy/policy.ts';
import type { PolicyEvent } from '../../src/domain/policy/policy-events.ts';
import { parseSum } from '../../src/domain/values/money.ts';
import { foldState } from '../../src/event-sourcing/aggregate.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import { Completion } from '../../src/processes/completion/completion.ts';
import { StoreUnavailable } from '../../src/store-unavailable.ts';
import { approved, coverage, filed, MOVES_TO, policyEvents } from '../../test/support/claim-histories.ts';
import { CommandHarness, type CommandOptions } from '../../test/support/command-harness.ts';
import { crashAfterAppends } from '../../test/support/crash-after-appends.ts';
import { interceptAppends } from '../../test/support/intercept-appends.ts';
import { MERCHANT_ID, sampleId } from '../../test/support/sample-events.ts';
import { metricValue, type SchedulerHarness, startSchedulerHarness } from '../../test/support/scheduler-harness.ts';
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
      expect(refusal).toMatchObject({ code: 'claim_move_not_allowed', members: { allowed: ['reopened'] } });
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
      const [{ paymentId = '' } = {}] = (await claimOf(append)).payments;
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

  test.each([1, 2, 3, 4, 5, 6])('never pass the limit, and leave nothing behind (seed %d)', async (seed) => {
    for (const number of claims) await givenApproved(number, '200.00');
    const first = await h.run(payClaim, { claim_id: claimId(1), paid_amount: '20.00' });
    expect(first.result).toMatchObject({ claim_status: 'approved' });
    const payment_id = (await booked())[0]?.paymentId;
    // One claim of which nothing was paid lets cancellations race with payments.
    await h.run(reversePayment, { claim_id: claimId(1), payment_id, reason: 'twice' });
    const next = numbersOf(seed);
    let killed = 0;
    const restore = interceptAppends(h.eventStore, async (append) => {
      const fate = next();
      if (fate < 0.03) throw new StoreUnavailable(`killed before append ${++killed}`);
      const result = await append();
      if (fate > 0.97) throw new StoreUnavailable(`killed after append ${++killed}`);
      return result;
    });
    const cancel = { policy_id: sampleId('policy', 1), cancellation_reason: 'sold', effective_on: '2026-01-31' };
    const others = [
      ...claims.map((number) => async () => await h.run(denyClaim, { claim_id: claimId(number), reason: 'fraud' })),
      ...claims.map((number) => async () => await h.run(addClaimNote, { claim_id: claimId(number), text: 'x' })),
      ...[1, 2].map(() => async () => await h.run(cancelPolicy, cancel, { environment })),
      ...[1, 2, 3].map(() => async () => await h.run(reinstatePolicy, { policy_id: cancel.policy_id, reason: 'kept' })),
      ...claims.map((number) => async () => {
        const paid = (await claimOf(number)).payments.at(-1)?.paymentId ?? payment_id;
        await h.run(reversePayment, { claim_id: claimId(number), payment_id: paid, reason: 'twice' });
      }),
    ];
    const payments = Array.from({ length: 64 }, (_, index) => async () => {
      await h.run(payClaim, { claim_id: claimId((index % 8) + 1), paid_amount: '25.00' });
    });
    const shuffled = [...others, ...payments].map((run) => [next(), run] as const).toSorted(([a], [b]) => a - b);
    const outcomes = await Promise.allSettled(shuffled.map(async ([, run]) => await run()));
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(10);
    expect(killed).toBeGreaterThan(0);
    h.now = LATER;
    await complete().catch(() => undefined);
    restore();
    await complete();

    const history = await policyHistory();
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
  });
});
