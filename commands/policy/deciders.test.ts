import { describe, test } from '@jest/globals';
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

/** A policy that is covered through 2026-12-31. */
const imported = policyImported(1, 1, term('2026-01-01', '2026-12-31', '365.00'));
const purchased = (changes: object) => policyPurchased(1, 1, term('2026-01-01', '2026-12-31', '365.00'), changes);
const from2027 = (through: string, premium: string, annual = '365.00') => {
  const next = term('2027-01-01', through, premium);
  return { ...next, annual: { ...next.annual, premium: annual } };
};
/** The event of a sample, with other data. */
const changed = ({ type, data }: SampleEvent, changes: object): GivenEvent => ({ type, data: { ...data, ...changes } });

describe('RenewPolicy', () => {
  const renew = (changes: object, ...history: readonly SampleEvent[]) =>
    given(...history).when(renewPolicy, {
      request: renewPolicy.input.parse({
        policy_number: 'POL-1',
        preferred_policy_start_date: '2027-01-01',
        policy_duration: 365,
        ...changes,
      }),
      today: '2026-03-01',
    });
  const renewed = (next: ReturnType<typeof term>, changes: object = {}) =>
    changed(policyRenewed(1, 1, next), { effectiveAt: next.from, ...changes });

  test('adds a term at the annual premium, or its share for fewer days', () => {
    renew({}, imported).then(renewed(from2027('2027-12-31', '365.00')));
    renew({ policy_duration: 30, auto_renew: true }, imported).then(
      renewed(from2027('2027-01-30', '30.00'), { days: 30, autoRenew: true }),
    );
  });

  test('adds a coverage with its additional amount', () => {
    const coverage_details = { coverage_type: 'radio', coverage_limit: 1000, additional_amount: '12.5' };
    const next = from2027('2027-12-31', '377.50', '377.50');
    const coverages = [...next.coverages, { name: 'radio', type: 'radio', limit: '1000.00' }];
    renew({ include_additional_coverage: true, coverage_details }, imported).then(
      renewed({ ...next, coverages } as typeof next, {
        coverageChange: { kind: 'additional', details: coverage_details },
      }),
    );
  });

  test('can begin from the day after the last term to 366 days after it', () => {
    const startOn = (preferred_policy_start_date: string) => renew({ preferred_policy_start_date }, imported);
    const field = 'preferred_policy_start_date';
    startOn('2026-12-31').thenRefused('renewal_overlaps_current_term', { members: { earliest_start: '2027-01-01' } });
    startOn('2026-02-28').thenRefused('invalid_request', { fields: [{ field, message: 'must not be in the past' }] });
    startOn('2028-01-01').then(renewed(term('2028-01-01', '2028-12-30', '365.00')));
    const message = 'must not be later than 2028-01-01';
    startOn('2028-01-02').thenRefused('invalid_request', { fields: [{ field, message }] });
  });

  test('refuses a policy that is cancelled, not renewable or not activated', () => {
    renew({}, imported, policyCancelled(1, 1)).thenRefused('policy_not_renewable');
    renew({}, purchased({ renewable: false })).thenRefused('policy_not_renewable');
    renew({}, purchased({ status: 'accepted', inspectionRequired: true })).thenRefused('policy_not_renewable');
  });
});

describe('CancelPolicy', () => {
  const cancel = (now: string, ...history: readonly SampleEvent[]) =>
    given(...history).when(cancelPolicy, {
      request: cancelPolicy.input.parse({ policy_number: 'POL-1', cancellation_reason: 'moved away' }),
      initiator: 'A bank',
      now,
    });
  const returned = (from: string, through: string, premium: string) => {
    return { from, through, premium, tax: null, commission: null };
  };

  test('ends cover at the end of the day, and returns the premium of the days that are left', () => {
    const upToEnd = returned('2026-01-01', '2026-12-31', '305.00');
    cancel(NOW, imported).then(changed(policyCancelled(1, 1), { returned: [upToEnd] }));
    const next = policyRenewed(1, 1, from2027('2027-12-31', '365.00'));
    const whole = returned('2027-01-01', '2027-12-31', '365.00');
    cancel(NOW, imported, next).then(changed(policyCancelled(1, 1), { returned: [upToEnd, whole] }));
  });

  test('refuses a policy that is cancelled, not active or expired', () => {
    cancel(NOW, imported, policyCancelled(1, 1)).thenRefused('policy_already_cancelled');
    cancel(NOW, purchased({ status: 'accepted' })).thenRefused('policy_not_active');
    cancel('2027-01-01T00:00:00.000Z', imported).thenRefused('policy_expired');
  });
});
