import { describe, expect, test } from '@jest/globals';
import { given, type GivenEvent, NOW } from '../../test/support/given.ts';
import {
  policyCancelled,
  policyImported,
  policyPurchased,
  policyRenewed,
  type SampleEvent,
  term,
} from '../../test/support/sample-events.ts';
import { cancelPolicy } from './cancel-policy.ts';
import { renewPolicy } from './renew-policy.ts';

/** A term with everything that a renewal carries over. */
const termOf = (from: string, through: string, premium: string, annual = '365.00') => {
  const made = term(from, through, premium);
  const coverages = [
    { name: 'glass', type: 'comprehensive', limit: '1000.00' },
    { name: 'fire', type: null, limit: null },
  ];
  return { ...made, annual: { ...made.annual, premium: annual }, coverages, risk: { driver_age: '44' } };
};
const FIRST = termOf('2026-01-01', '2026-12-31', '365.00');
/** A policy that is covered through 2026-12-31. */
const imported = policyImported(1, 1, FIRST);
const purchased = (changes: object) => policyPurchased(1, 1, FIRST, changes);
/** The event of a sample, with other data. */
const changed = ({ type, data }: SampleEvent, changes: object): GivenEvent => ({ type, data: { ...data, ...changes } });

/** Decides a renewal with these fields of the body. */
const renewOn = (today: string, changes: object, ...history: readonly SampleEvent[]) =>
  given(...history).when(renewPolicy, {
    ...renewPolicy.input.parse({
      policy_number: 'POL-1',
      preferred_policy_start_date: '2027-01-01',
      policy_duration: 365,
      ...changes,
    }),
    today,
  });
const renew = (changes: object, ...history: readonly SampleEvent[]) => renewOn('2026-03-01', changes, ...history);
const renewed = (next: object, changes: object = {}) =>
  changed(policyRenewed(1, 1, FIRST), { term: next, effectiveAt: (next as typeof FIRST).from, ...changes });

describe('RenewPolicy', () => {
  test('adds a term at the annual premium, or its share for fewer days, rounded half up', () => {
    renew({}, imported).then(renewed(termOf('2027-01-01', '2027-12-31', '365.00')));
    const days = { days: 30, autoRenew: true };
    renew({ policy_duration: 30, auto_renew: true }, imported).then(
      renewed(termOf('2027-01-01', '2027-01-30', '30.00'), days),
    );
  });

  const startOn = (from: string, today = '2026-03-01') =>
    renewOn(today, { preferred_policy_start_date: from, policy_duration: 1 }, imported);
  const wrongStart = (message: string) => ({ fields: [{ field: 'preferred_policy_start_date', message }] });
  const oneDay = (from: string) => renewed(termOf(from, from, '1.00'), { days: 1 });

  test('begins after the last term', () => {
    const overlaps = { ...wrongStart('must be later than 2026-12-31'), members: { earliest_start: '2027-01-01' } };
    for (const from of ['2026-12-31', '2026-03-01'])
      startOn(from).thenRefused('renewal_overlaps_current_term', overlaps);
    const endless = policyImported(1, 1, termOf('2026-01-01', '9999-12-31', '365.00'));
    renew({}, endless).thenRefused('renewal_overlaps_current_term', { members: { earliest_start: null } });
  });

  test('begins today at the earliest, with a gap where the policy has expired', () => {
    startOn('2026-02-28').thenRefused('invalid_request', wrongStart('must not be in the past'));
    startOn('2027-03-05', '2027-03-05').then(oneDay('2027-03-05'));
  });

  test('begins at most 366 days after the last term, or after today when that is later', () => {
    startOn('2028-01-01').then(oneDay('2028-01-01'));
    startOn('2028-01-02').thenRefused('invalid_request', wrongStart('must not be later than 2028-01-01'));
    startOn('2028-06-01', '2027-06-01').then(oneDay('2028-06-01'));
    startOn('2028-06-02', '2027-06-01').thenRefused('invalid_request', wrongStart('must not be later than 2028-06-01'));
  });

  test('refuses a policy that is cancelled, not renewable or not activated', () => {
    renew({}, imported, policyCancelled(1, 1)).thenRefused('policy_not_renewable');
    renew({}, purchased({ renewable: false })).thenRefused('policy_not_renewable');
    renew({}, purchased({ status: 'accepted', inspectionRequired: true })).thenRefused('policy_not_renewable');
  });
});

describe('A renewal that changes a coverage', () => {
  const next = (premium: string, coverages: readonly object[] = FIRST.coverages) => ({
    ...termOf('2027-01-01', '2027-12-31', premium, premium),
    coverages,
  });
  const add = (coverage_details: object, changes: object = {}) =>
    renew({ include_additional_coverage: true, coverage_details, ...changes }, imported);
  const modify = (coverage_details: object) => renew({ modify_exisitng_coverage: true, coverage_details }, imported);
  const [glass, fire] = FIRST.coverages;
  const radio = { name: 'radio', type: 'radio', limit: null };
  const wrongType = (message: string) => ({ fields: [{ field: 'coverage_details.coverage_type', message }] });

  test.each([
    [12.5, '377.50'],
    ['12.5', '377.50'],
    ['0', '365.00'],
    [undefined, '365.00'],
  ])('adds a coverage for %p to an annual premium of %s', (amount, premium) => {
    const details = { coverage_type: 'radio', ...(amount === undefined ? {} : { additional_amount: amount }) };
    const coverageChange = { kind: 'additional', details };
    add(details).then(renewed(next(premium, [...FIRST.coverages, radio]), { coverageChange }));
  });

  test('adds its limit and items, and costs the share of the amount for some days', () => {
    const details = { coverage_type: ' radio ', coverage_limit: 1000, covered_items: { brand: 'any' } };
    const items = { limit: '1000.00', coveredItems: { brand: 'any' } };
    const coverages = [...FIRST.coverages, { ...radio, ...items }];
    add(details).then(renewed(next('365.00', coverages), { coverageChange: { kind: 'additional', details } }));
    const paid = { coverage_type: 'radio', additional_amount: '36.50' };
    add(paid, { policy_duration: 30 }).then(
      renewed(
        { ...termOf('2027-01-01', '2027-01-30', '33.00', '401.50'), coverages: [...FIRST.coverages, radio] },
        { days: 30, coverageChange: { kind: 'additional', details: paid } },
      ),
    );
  });

  test.each([' FIRE ', 'comprehensive'])('refuses to add one that the policy has: %s', (coverage_type) => {
    const message = 'is a coverage of the policy already; modify it instead';
    add({ coverage_type }).thenRefused('invalid_request', wrongType(message));
  });

  test('modifies limit and items of a coverage, found by its name or its type', () => {
    const details = { coverage_type: 'Fire', covered_items: ['garage'], additional_amount: '36.50' };
    const modified = (changes: object) => ({ coverageChange: { kind: 'modified', details: changes } });
    const inGarage = { ...fire, coveredItems: ['garage'] };
    modify(details).then(renewed(next('401.50', [glass ?? {}, inGarage]), modified(details)));
    const limited = { coverage_type: 'Comprehensive', coverage_limit: '5000' };
    const coverages = [{ ...glass, limit: '5000.00' }, fire ?? {}];
    modify(limited).then(renewed(next('365.00', coverages), modified(limited)));
    const message = 'must be the name of a coverage of the policy, or the type of exactly one';
    modify({ coverage_type: 'hail' }).thenRefused('invalid_request', wrongType(message));
  });

  test('is none without an option', () => {
    renew({ coverage_details: { additional_amount: '36.50' } }, imported).then(renewed(next('365.00')));
  });

  test('is refused when it makes the premium of the term too long', () => {
    const details = { coverage_type: 'radio', additional_amount: '99999999.99' };
    add(details).thenRefused('premium_out_of_range');
    expect(add(details, { policy_duration: 364 }).error()).toBeUndefined();
  });
});

describe('CancelPolicy', () => {
  const cancelWith = (changes: object, now: string, ...history: readonly SampleEvent[]) =>
    given(...history).when(cancelPolicy, {
      ...cancelPolicy.input.parse({ policy_number: 'POL-1', cancellation_reason: 'moved away', ...changes }),
      initiator: 'A bank',
      now,
    });
  const cancel = (now: string, ...history: readonly SampleEvent[]) => cancelWith({}, now, ...history);
  const returned = (from: string, through: string, premium: string) => {
    return { from, through, premium, tax: null, commission: null };
  };

  test('ends cover at the end of the day, and returns the premium of the days that are left', () => {
    const upToEnd = returned('2026-01-01', '2026-12-31', '305.00');
    cancel(NOW, imported).then(changed(policyCancelled(1, 1), { returned: [upToEnd] }));
    const next = policyRenewed(1, 1, termOf('2027-01-01', '2027-03-14', '73.00'));
    const whole = returned('2027-01-01', '2027-03-14', '73.00');
    cancel(NOW, imported, next).then(changed(policyCancelled(1, 1), { returned: [upToEnd, whole] }));
  });

  test('returns nothing on the last day', () => {
    const [now, effectiveAt] = ['2026-12-31T23:59:59.999Z', '2026-12-31'];
    cancel(now, imported).then(changed(policyCancelled(1, 1), { cancelledAt: now, effectiveAt }));
  });

  test('records feedback and alternatives', () => {
    const end = cancelWith({ merchant_feedback: 'too dear', alternative_offerings: ['a', null] }, NOW, imported);
    end.then(
      changed(policyCancelled(1, 1), {
        merchantFeedback: 'too dear',
        alternativeOfferings: ['a', null],
        returned: [returned('2026-01-01', '2026-12-31', '305.00')],
      }),
    );
  });

  test('refuses a policy that is cancelled, not active or expired', () => {
    cancel(NOW, imported, policyCancelled(1, 1)).thenRefused('policy_already_cancelled');
    cancel(NOW, purchased({ status: 'accepted' })).thenRefused('policy_not_active');
    cancel('2027-01-01T00:00:00.000Z', imported).thenRefused('policy_expired');
  });
});
