import { describe, expect, test } from '@jest/globals';
import { FIRE, ratedTerm } from '#test/support/policy-events.ts';
import { NO_CANCELLATION_RULES } from '../values/cancellation-rules.ts';
import { ZERO } from '../values/fraction.ts';
import type { Contract, PolicyState } from './policy.ts';
import { newTerm, type Term, yearFrom } from './term.ts';
import { changedTerm, importedTerm } from './timeline.ts';
import { type EndRequest, refundOf } from './end.ts';

const imported = (tax: string | null, commission: string | null): Term =>
  newTerm(importedTerm(yearFrom('2026-01-01'), { premium: '438.00', tax, commission }, [FIRE]), 'first');
const FIRST = newTerm(ratedTerm('2026-01-01'), 'first');
const SECOND = newTerm(ratedTerm('2027-01-01'), 'second');
const WHOLE = { premium: '498.00', net: '365.00', fee: '50.00', tax: '83.00', commission: '36.50' };
const NOTHING = { premium: '0.00', net: '0.00', fee: '0.00', tax: '0.00', commission: '0.00' };

interface Changes extends Partial<Pick<PolicyState, 'terms' | 'waits' | 'payments'>> {
  readonly contract?: Partial<Contract>;
}

/** What the end of a policy that was bought on 2025-12-20 returns, by the ids of its terms. */
function refund(request: EndRequest, changes: Changes = {}, rules: object = {}) {
  const { contract, ...policy } = changes;
  const cancellation = { ...NO_CANCELLATION_RULES, ...rules };
  const { rule, returned } = refundOf(
    {
      terms: [FIRST, SECOND],
      waits: false,
      payments: [],
      contract: { boughtOn: '2025-12-20', cancellation, timeZone: 'UTC', ...contract },
      ...policy,
    },
    request,
  );
  const amounts = returned.map(({ termId, from: _from, through: _through, ...price }) => [termId, price]);
  return { rule, ...Object.fromEntries(amounts) } as object;
}
const on = (effectiveOn: string, decidedOn = effectiveOn): EndRequest => ({ effectiveOn, decidedOn });

describe('The end of a policy returns', () => {
  test('the net price that is not earned with its tax and commission, and no fee; later terms whole', () => {
    const rest = { premium: '220.80', net: '184.00', fee: '0.00', tax: '36.80', commission: '18.40' };
    expect(refund(on('2026-06-30'))).toEqual({ rule: 'pro_rata', first: rest, second: WHOLE });
    expect(refund(on('2026-06-30', '2026-03-01'))).toEqual({ rule: 'pro_rata', first: rest, second: WHOLE });
  });

  test('nothing of the term on its last day, and of none before', () => {
    expect(refund(on('2026-12-31'))).toEqual({ rule: 'pro_rata', first: NOTHING, second: WHOLE });
    expect(refund(on('2027-12-31'))).toEqual({ rule: 'pro_rata', second: NOTHING });
  });

  test('everything of terms that have not begun', () => {
    expect(refund(on('2025-12-31'))).toEqual({ rule: 'not_begun', first: WHOLE, second: WHOLE });
    const afterGap = newTerm(ratedTerm('2028-01-01'), 'second');
    expect(refund(on('2027-06-01'), { terms: [FIRST, afterGap] })).toEqual({ rule: 'not_begun', second: WHOLE });
    const withdrawn = { ...SECOND, isWithdrawn: true as const };
    expect(refund(on('2025-12-31'), { terms: [FIRST, withdrawn] })).toEqual({ rule: 'not_begun', first: WHOLE });
  });

  test('everything while the policy waits, also after the days of its term', () => {
    for (const day of ['2026-06-30', '2027-06-30'])
      expect(refund(on(day), { terms: [FIRST], waits: true })).toEqual({ rule: 'not_begun', first: WHOLE });
  });

  test('everything of a term in force that never begins, and nothing of the one before it, which contains the day', () => {
    const ended = refund(on('2026-12-31', '2027-03-01'));
    expect(ended).toEqual({ rule: 'pro_rata', first: NOTHING, second: WHOLE });
  });

  test('all but what is retained, which is at most the net price', () => {
    const first = (minimumRetained: string) => refund(on('2026-06-30'), { terms: [FIRST] }, { minimumRetained });
    expect(first('181.00')).toMatchObject({ first: { net: '184.00' } });
    expect(first('181.01')).toMatchObject({ first: { net: '183.99', tax: '36.80', commission: '18.40' } });
    expect(first('365.00')).toEqual({ rule: 'pro_rata', first: NOTHING });
    expect(first('1000.00')).toEqual({ rule: 'pro_rata', first: NOTHING });
  });

  test('of a changed term what its periods have not earned', () => {
    const after = changedTerm(FIRST, ({ coverages }) => ({ coverages, annualNet: ZERO }), '2026-07-01', {
      minimumRetained: '0.00',
      isKept: false,
    });
    expect(refund(on('2026-09-30'), { terms: [{ ...FIRST, ...after }] })).toEqual({ rule: 'pro_rata', first: NOTHING });
  });

  test('no tax and no commission that are not known', () => {
    const price = { net: '220.80', premium: '220.80', tax: null, commission: null };
    expect(refund(on('2026-06-30'), { terms: [imported(null, null)] })).toMatchObject({ first: price });
  });

  test('nothing of a term that costs nothing', () => {
    const price = { ...FIRST, premium: '0.00', net: '0.00', fee: '0.00', tax: '0.00', commission: '0.00' };
    const free = { ...price, periods: FIRST.periods.map((period) => ({ ...period, net: '0.00' })) };
    expect(refund(on('2026-06-30'), { terms: [free] })).toEqual({ rule: 'pro_rata', first: NOTHING });
  });
});

const paidFor = (termId: string) => ({
  payments: [
    { claimId: 'claim', paymentId: 'one', termId, coverageName: 'fire', incidentDate: '2026-01-02', amount: '1.00' },
  ],
});

describe('After a claim payment, the end of a policy returns', () => {
  const rule = (policy: Changes, rules: object, request = on('2026-06-30')) =>
    (refund(request, policy, rules) as { rule: string }).rule;

  test('nothing of the term of the incident after a payment, by the rule of the product; later terms whole', () => {
    const never = { refundAfterClaim: false };
    expect(refund(on('2026-06-30'), paidFor('first'), never)).toEqual({
      rule: 'none_after_claim',
      first: NOTHING,
      second: WHOLE,
    });
    expect(rule(paidFor('first'), {})).toBe('pro_rata');
    expect(rule({}, never)).toBe('pro_rata');
    expect(rule(paidFor('first'), never, on('2027-06-30'))).toBe('pro_rata');
  });

  test('not everything in the cooling-off time', () => {
    expect(rule(paidFor('first'), { coolingOffDays: 14 }, on('2026-01-03'))).toBe('pro_rata');
    expect(rule({}, { coolingOffDays: 14 }, on('2026-01-03'))).toBe('cooling_off');
  });
});

describe('A cancellation in the cooling-off time', () => {
  const cooling = (request: EndRequest, policy: Changes = {}, coolingOffDays = 14) =>
    refund(request, policy, { coolingOffDays, minimumRetained: '300.00' });
  const isCooling = (request: EndRequest, policy: Changes = {}, coolingOffDays = 14) =>
    'cooling_off' === (cooling(request, policy, coolingOffDays) as { rule: string }).rule;

  test('returns everything through the last of its days after the purchase', () => {
    expect(cooling(on('2026-01-03'))).toEqual({ rule: 'cooling_off', first: WHOLE, second: WHOLE });
    expect(isCooling(on('2026-01-04'))).toBe(false);
  });

  test('needs both the decision and the end of cover in that time', () => {
    expect(isCooling(on('2026-01-04', '2026-01-03'))).toBe(false);
    expect(isCooling(on('2026-01-03', '2026-01-04'))).toBe(false);
    expect(isCooling(on('2026-01-01', '2026-01-03'))).toBe(true);
  });

  test('is one of the first term alone, which has 30 days or more', () => {
    const short = (days: number) => ({ terms: [newTerm(ratedTerm('2026-01-01', days), 'first'), SECOND] });
    expect(isCooling(on('2026-01-03'), short(30))).toBe(true);
    expect(isCooling(on('2026-01-03'), short(29))).toBe(false);
    const next = newTerm(ratedTerm('2026-01-31', 335), 'second');
    expect(isCooling(on('2026-02-01'), { terms: [...short(30).terms.slice(0, 1), next] }, 60)).toBe(false);
  });

  test('is none without days, of an imported policy, and before cover begins', () => {
    expect(isCooling(on('2025-12-20'), { terms: [newTerm(ratedTerm('2025-12-20'), 'first')] }, 0)).toBe(false);
    expect(isCooling(on('2026-01-01'), { contract: { boughtOn: null } })).toBe(false);
    expect(cooling(on('2025-12-31'))).toMatchObject({ rule: 'not_begun', first: WHOLE });
  });
});

describe('A return premium of an import', () => {
  const given = (returnPremium: string, tax: string | null = '73.00', commission: string | null = '36.50') =>
    refund(
      { ...on('2026-06-30', '2026-08-01'), returnPremium },
      { contract: { boughtOn: null }, terms: [imported(tax, commission)] },
    );

  test('stands instead of what the rules say, divided like the premium', () => {
    const price = { premium: '100.00', net: '83.33', fee: '0.00', tax: '16.67', commission: '8.33' };
    expect(given('100.00')).toEqual({ rule: null, first: price });
    expect(given('438.00')).toMatchObject({ first: { premium: '438.00', net: '365.00', commission: '36.50' } });
    expect(given('0.00')).toEqual({ rule: null, first: NOTHING });
  });

  test('is all net where tax is not known', () => {
    expect(given('100.00', null, null)).toMatchObject({ first: { net: '100.00', tax: null, commission: null } });
  });
});
