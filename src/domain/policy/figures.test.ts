import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { FIRE, ratedTerm } from '#test/support/policy-events.ts';
import { type CancellationRules, NO_CANCELLATION_RULES } from '../values/cancellation-rules.ts';
import { addDays } from '../values/dates.ts';
import { parseFraction } from '../values/fraction.ts';
import { formatMoney } from '../values/money.ts';
import { lastTerm } from './cover.ts';
import { hasPaidIn } from './claim-payments.ts';
import { refundOf } from './end.ts';
import { type Figures, figuresOn } from './figures.ts';
import type { Contract, End, PolicyState } from './policy.ts';
import { contains, newTerm, type Term, termDays, yearFrom } from './term.ts';
import { type ChangeCover, changedTerm, importedTerm } from './timeline.ts';

const termOf = (from: string): Term => newTerm(ratedTerm(from), from);
type Parts = Pick<PolicyState, 'terms' | 'waits' | 'contract' | 'payments' | 'end'>;
const contractOf = (cancellation: CancellationRules, boughtOn: string | null = '2026-01-01') =>
  ({ boughtOn, cancellation, timeZone: 'UTC' }) as Contract;
const policyOf = (terms: readonly Term[], changes: Partial<Parts> = {}): Parts => ({
  terms,
  waits: false,
  contract: contractOf(NO_CANCELLATION_RULES),
  payments: [],
  end: null,
  ...changes,
});
const endOf = (policy: Parts, day: string, decidedOn = day, returnPremium?: string): End => {
  const { rule: refundRule, returned } = refundOf(policy, { effectiveOn: day, decidedOn, returnPremium });
  return {
    kind: 'cancelled',
    day,
    decidedOn,
    at: `${day}T12:00:00.000Z`,
    reason: null,
    initiator: 'admin',
    refundRule,
    returned,
    autoRenewBefore: false,
  };
};
const figures = (policy: Parts, day: string) => figuresOn(policy as PolicyState, day);
const shown = (policy: Parts, day: string) => {
  const { isInForce, ...amounts } = figures(policy, day);
  const texts = Object.entries(amounts).map(([name, amount]) => [name, formatMoney(amount)]);
  return { isInForce, ...Object.fromEntries(texts) } as Record<keyof Figures, unknown>;
};

describe('What a policy adds to the book', () => {
  const two = policyOf([termOf('2026-01-01'), termOf('2027-01-01')]);
  const nothing = Object.fromEntries(
    ['inForce', 'written', 'earned', 'unearned', 'returned', 'tax', 'commission', 'commissionUnearned'].map((name) => [
      name,
      '0.00',
    ]),
  ) as object;

  test('is nothing before its first term, while it waits, and where no term ever began', () => {
    const none = { isInForce: false, ...nothing };
    expect(shown(two, '2025-12-31')).toEqual(none);
    expect(shown({ ...two, waits: true }, '2026-06-30')).toEqual(none);
    const waited = { ...policyOf(two.terms.slice(0, 1)), waits: true };
    expect(shown({ ...waited, end: endOf(waited, '2026-06-30') }, '2026-06-30')).toEqual(none);
    expect(shown({ ...two, end: endOf(two, '2025-12-31') }, '2026-06-30')).toEqual(none);
    expect(shown({ ...two, end: { ...endOf(two, '2026-02-01'), kind: 'declined' } }, '2026-06-30')).toEqual(none);
    expect(shown(policyOf([{ ...termOf('2026-01-01'), isWithdrawn: true }]), '2026-06-30')).toEqual(none);
  });

  test('grows by the terms that begin, and is earned by the day', () => {
    expect(shown(two, '2026-06-30')).toEqual({
      isInForce: true,
      inForce: '415.00',
      written: '415.00',
      earned: '231.00',
      unearned: '184.00',
      returned: '0.00',
      tax: '83.00',
      commission: '36.50',
      commissionUnearned: '18.40',
    });
    expect(shown(two, '2027-01-01')).toMatchObject({
      inForce: '415.00',
      written: '830.00',
      earned: '466.00',
      unearned: '364.00',
      commissionUnearned: '36.40',
    });
    expect(shown(two, '2028-01-01')).toMatchObject({ isInForce: false, inForce: '0.00', earned: '830.00' });
  });

  test('is earned and returned with the end of the policy', () => {
    const ended = { ...two, end: endOf(two, '2026-06-30') };
    const after = {
      written: '415.00',
      earned: '231.00',
      unearned: '0.00',
      returned: '184.00',
      tax: '46.20',
      commission: '18.10',
      commissionUnearned: '0.00',
    };
    expect(shown(ended, '2026-06-30')).toEqual({ isInForce: true, inForce: '415.00', ...after });
    expect(shown(ended, '2029-01-01')).toEqual({ isInForce: false, inForce: '0.00', ...after });
    const cooling = { ...two, contract: contractOf({ ...NO_CANCELLATION_RULES, coolingOffDays: 14 }) };
    expect(shown({ ...cooling, end: endOf(cooling, '2026-01-10') }, '2026-01-10')).toMatchObject({
      written: '415.00',
      earned: '0.00',
      returned: '415.00',
      tax: '0.00',
      commission: '0.00',
    });
  });

  test('counts what is not known as nothing', () => {
    const term = importedTerm(yearFrom('2026-01-01'), { premium: '365.00', tax: null, commission: null }, [FIRE]);
    const policy = policyOf([newTerm(term, 'a')]);
    expect(shown(policy, '2026-06-30')).toMatchObject({ written: '365.00', tax: '0.00', commissionUnearned: '0.00' });
  });
});

const amount = fc.integer({ min: 0, max: 200_000 }).map((minor) => formatMoney(BigInt(minor)));
const percent = fc.constantFrom('0', '7.5', '20', '100');
const offset = fc.nat(120);
/** A life: terms with gaps or none, changes of the annual net price, and an end. */
const anyLife = fc.record({
  rating: fc.record({ surcharge: amount, minimum_premium: amount, tax_percent: percent, commission_percent: percent }),
  terms: fc.array(fc.record({ gap: fc.nat(4), days: fc.integer({ min: 1, max: 50 }), annual: amount }), {
    minLength: 1,
    maxLength: 3,
  }),
  changes: fc.array(fc.record({ at: offset, annual: amount }), { maxLength: 4 }),
  end: fc.option(fc.record({ at: offset, late: fc.nat(3), given: fc.constantFrom(undefined, 'nothing', 'all') })),
  imported: fc.boolean(),
  paidAt: fc.option(offset),
  rules: fc.record({
    coolingOffDays: fc.constantFrom(0, 14, 60),
    refundAfterClaim: fc.boolean(),
    minimumRetained: amount,
  }),
});
const PAYMENT = { claimId: 'claim', paymentId: 'one', coverageName: 'fire', amount: '1.00' };
type Life = typeof anyLife extends fc.Arbitrary<infer T> ? T : never;
const dayAt = (days: number) => addDays('2026-01-01', days);

function firstTimeline({ terms, rating, imported }: Life): Parts['terms'] {
  let next = 0;
  return terms.map(({ gap, days, annual }) => {
    const on = termDays(dayAt(next + gap), days);
    next += gap + days;
    const { premium, tax, commission, ...term } = ratedTerm(on.from, days, { annual, rating });
    const price = { premium, tax, commission };
    return newTerm(imported ? importedTerm(on, price, [FIRE]) : { ...term, ...price }, on.from);
  });
}

/** Returns the policy as of each day: changes and the end count from their days on. */
function asOfEachDay(life: Life): readonly { readonly day: string; readonly policy: Parts }[] {
  const cancellation = { ...NO_CANCELLATION_RULES, ...life.rules };
  const boughtOn = life.imported ? null : '2026-01-01';
  let policy = policyOf(firstTimeline(life), { contract: contractOf(cancellation, boughtOn) });
  const days = [];
  for (let at = -2; at < 180; at++) {
    const day = dayAt(at);
    for (const { annual } of life.changes.filter((change) => change.at === at && policy.end === null)) {
      const change: ChangeCover = ({ coverages }) => ({ coverages, annualNet: parseFraction(annual) });
      const changed = (term: Term): Term => {
        const isKept = !cancellation.refundAfterClaim && hasPaidIn(policy, term);
        const floors = { minimumRetained: cancellation.minimumRetained, isKept };
        return { ...term, ...changedTerm(term, change, day, floors) };
      };
      policy = { ...policy, terms: policy.terms.map((term) => (term.through < day ? term : changed(term))) };
    }
    const insuredOn = policy.terms.find((term) => contains(term, day));
    if (life.paidAt === at && insuredOn !== undefined && policy.end === null)
      policy = { ...policy, payments: [{ ...PAYMENT, termId: insuredOn.termId, incidentDate: day }] };
    if (life.end?.at === at && day <= lastTerm(policy).through) {
      const { late, given } = life.end;
      const term = policy.terms.find((one) => contains(one, day));
      const amounts = { nothing: '0.00', all: term?.premium };
      const returned = term === undefined || !life.imported || given === undefined ? undefined : amounts[given];
      policy = { ...policy, end: endOf(policy, day, dayAt(at + late), returned) };
    }
    days.push({ day, policy });
  }
  return days;
}

test('written is earned, unearned and returned; nothing is negative; earned falls with a cooling-off or an imported return alone', () => {
  fc.assert(
    fc.property(anyLife, (life) => {
      const wrong: string[] = [];
      let earnedBefore = 0n;
      for (const { day, policy } of asOfEachDay(life)) {
        const { isInForce: _, ...amounts } = figures(policy, day);
        const { written, earned, unearned, returned } = amounts;
        const mayFall = policy.end?.refundRule === 'cooling_off' || policy.end?.refundRule === null;
        if (earned + unearned + returned !== written) wrong.push(`${day}: does not add up`);
        if (Object.values(amounts).some((each) => each < 0n)) wrong.push(`${day}: negative`);
        if (earned < earnedBefore && !mayFall) wrong.push(`${day}: earned fell`);
        earnedBefore = earned;
      }
      expect(wrong).toEqual([]);
    }),
    { numRuns: 400 },
  );
});
