import { describe, expect, test } from '@jest/globals';
import { ratesOf } from '#domain/values/rating.ts';
import { given, type GivenEvent } from '#test/support/given.ts';
import {
  changed,
  FIRE,
  GLASS,
  policyEvent,
  RATING,
  ratedTerm,
  returnedOf,
  NEXT,
  bought,
  WAITING,
  CANCELLED,
  renewedWith,
  RADIO,
} from '#test/support/policy-events.ts';
import { policyImported, term } from '#test/support/sample-events.ts';
import { renewPolicy } from './renew-policy.ts';

describe('RenewPolicy', () => {
  const RULES = ratesOf(RATING);
  const renewOn = (today: string, changes: object, ...history: readonly GivenEvent[]) => {
    const { rates = RULES, ...fields } = changes as { rates?: object };
    const body = { policy_number: 'POL-1', preferred_policy_start_date: '2027-01-01', policy_duration: 365, ...fields };
    return given(...history).when(renewPolicy, {
      ...renewPolicy.input.parse(body),
      today,
      rates: rates as typeof RULES,
    });
  };
  const renew = (changes: object, ...history: readonly GivenEvent[]) =>
    renewOn('2026-03-01', changes, ...(history.length === 0 ? [bought()] : history));

  test('for 365 days is for a year, also over 29 February', () => {
    const year = ratedTerm('2027-03-01', 'year');
    expect(year.through).toBe('2028-02-29');
    renew({ preferred_policy_start_date: '2027-03-01' }).then(renewedWith(year));
    renew({ preferred_policy_start_date: '2027-03-01', policy_duration: 364 }).then(
      renewedWith(ratedTerm('2027-03-01', 364)),
    );
  });

  test('adds the days that are asked for, at the annual net price and the present rates', () => {
    renew({}).then(renewedWith(ratedTerm('2027-01-01', 365)));
    renew({ policy_duration: 30, auto_renew: true }).then(
      renewedWith(ratedTerm('2027-01-01', 30), { autoRenew: true }),
    );
    const rating = { minimum_premium: '400.00', tax_percent: '10' };
    renew({ rates: ratesOf(rating) }).then(renewedWith(ratedTerm('2027-01-01', 365, { rating })));
    renew({ rates: null }).then(renewedWith(ratedTerm('2027-01-01', 365)));
  });

  test('takes price and coverages of the last period, and the annual net price of an import rounded', () => {
    const period = { ...NEXT.periods[0], from: '2027-06-01', coverages: [GLASS], annualNet: '730.00' };
    const { premium, net, fee, tax, commission } = NEXT;
    const difference = { premium, net, fee, tax, commission };
    const periods = [{ ...NEXT.periods[0], through: '2027-05-31' }, period];
    const change = { ...returnedOf(1, NEXT), difference, periods };
    const event = policyEvent('PolicyChanged', { reason: null, changes: [], terms: [change] });
    const next = ratedTerm('2028-01-01', 365, { annual: '730.00', coverages: [GLASS] });
    renew({ preferred_policy_start_date: '2028-01-01' }, bought(), renewedWith(NEXT), event).then(renewedWith(next));

    const imported = policyImported(1, 1, term('2026-12-02', '2026-12-31', '100.00'));
    const agreed = { ...term('2027-01-01', '2027-12-31', '1216.67'), coverages: undefined };
    renew({}, imported).then(renewedWith(agreed));
  });

  const START = 'preferred_policy_start_date';
  const startOn = (from: string, today = '2026-03-01', history: GivenEvent = bought()) =>
    renewOn(today, { [START]: from, policy_duration: 1 }, history);
  const wrongStart = (message: string) => ({ fields: [{ field: START, message }] });
  const oneDay = (from: string) => renewedWith(ratedTerm(from, 1));

  test('is refused for a policy that is cancelled, waits or is not renewable', () => {
    const to = changed(CANCELLED, { effectiveAt: '2026-12-31' });
    for (const history of [[bought(), CANCELLED], [bought(), to], [WAITING], [bought({ renewable: false })]])
      renew({ [START]: '2026-01-01' }, ...history).thenRefused('policy_not_renewable');
  });

  test('begins today at the earliest, also with a gap', () => {
    startOn('2026-02-28').thenRefused('invalid_request', wrongStart('must not be in the past'));
    startOn('2027-03-05', '2027-03-05').then(oneDay('2027-03-05'));
  });

  test('begins after the last term', () => {
    const overlaps = { ...wrongStart('must be later than 2026-12-31'), members: { earliest_start: '2027-01-01' } };
    for (const from of ['2026-12-31', '2026-03-01'])
      startOn(from).thenRefused('renewal_overlaps_current_term', overlaps);
    const endless = policyImported(1, 1, term('2026-01-01', '9999-12-31', '365.00'));
    renew({}, endless).thenRefused('renewal_overlaps_current_term', { members: { earliest_start: null } });
  });

  test('begins at most 366 days after the last term, or after today when that is later', () => {
    startOn('2028-01-01').then(oneDay('2028-01-01'));
    startOn('2028-01-02').thenRefused('invalid_request', wrongStart('must not be later than 2028-01-01'));
    startOn('2028-06-01', '2027-06-01').then(oneDay('2028-06-01'));
    startOn('2028-06-02', '2027-06-01').thenRefused('invalid_request', wrongStart('must not be later than 2028-06-01'));
    const endless = policyImported(1, 1, term('2026-01-01', '9999-12-30', '365.00'));
    startOn('9999-12-31', '2026-03-01', endless).thenRefused(
      ...(['invalid_request', wrongStart('must let the term end before 9999-12-31')] as const),
    );
  });

  const change = (kind: 'additional' | 'modified', details: object, changes: object = {}) => {
    const flag = kind === 'additional' ? 'include_additional_coverage' : 'modify_exisitng_coverage';
    return renew({ [flag]: true, coverage_details: details, ...changes });
  };

  test('can add or modify a coverage, at the new rate of tax, and keeps what it was sent', () => {
    const added = { coverage_type: ' radio ', additional_amount: 12, brand: ['any'] };
    const next = ratedTerm('2027-01-01', 365, { annual: '375.00', coverages: [FIRE, GLASS, RADIO] });
    change('additional', added).then(renewedWith(next, { coverageChange: { kind: 'additional', details: added } }));
    const half = ratesOf({ tax_percent: '50' });
    change('additional', added, { rates: half }).then(
      renewedWith(
        ratedTerm('2027-01-01', 365, {
          annual: '373.00',
          coverages: [FIRE, GLASS, RADIO],
          rating: { tax_percent: '50' },
        }),
        { coverageChange: { kind: 'additional', details: added } },
      ),
    );
    const modified = { coverage_type: 'peril', coverage_limit: '5', additional_amount: '-12', covered_items: null };
    const coverages = [{ ...FIRE, limit: '5.00' }, GLASS];
    change('modified', modified).then(
      renewedWith(ratedTerm('2027-01-01', 365, { annual: '355.00', coverages }), {
        coverageChange: { kind: 'modified', details: modified },
      }),
    );
    renew({ coverage_details: {} }).then(renewedWith(ratedTerm('2027-01-01', 365)));
  });

  test('is refused with a change that does not fit, and for a term that becomes too dear', () => {
    const field = 'coverage_details.coverage_type';
    change('modified', { coverage_type: 'hail' }).thenRefused('invalid_request', {
      fields: [{ field, message: 'must be the name or the type of exactly one coverage of the policy' }],
    });
    change('additional', { coverage_type: 'FIRE' }).thenRefused('invalid_request', {
      fields: [{ field, message: 'is the name of a coverage of the policy already; modify it instead' }],
    });
    change('modified', { coverage_type: 'fire', additional_amount: '-438.01' }).thenRefused('invalid_request', {
      fields: [{ field: 'coverage_details.additional_amount', message: 'would make the annual price negative' }],
    });
    const dear = { coverage_type: 'radio', additional_amount: '99999999.99' };
    change('additional', dear).thenRefused('premium_out_of_range');
    expect(change('additional', dear, { policy_duration: 364 }).error()).toBeUndefined();
  });
});
