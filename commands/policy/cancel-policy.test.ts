import { describe, expect, test } from '@jest/globals';
import { given, type GivenEvent, NOW } from '#test/support/given.ts';
import {
  changed,
  FIRST,
  policyEvent,
  ratedTerm,
  returnedOf,
  NEXT,
  bought,
  WAITING,
  CANCELLED,
  renewedWith,
} from '#test/support/policy-events.ts';
import { policyCancelled, policyDeclined } from '#test/support/sample-events.ts';
import { cancelPolicy } from './cancel-policy.ts';

describe('CancelPolicy', () => {
  const cancelBy = (today: string, changes: object, ...history: readonly GivenEvent[]) => {
    const { isPlatform = false, ...fields } = changes as { isPlatform?: boolean };
    const input = cancelPolicy.input.parse({ policy_number: 'POL-1', cancellation_reason: 'moved away', ...fields });
    const now = `${today}${NOW.slice(10)}`;
    return given(...history).when(cancelPolicy, { ...input, isPlatform, initiator: 'A bank', now, today });
  };
  const cancelled = (decidedOn: string, returned: readonly object[], changes: object = {}) =>
    policyCancelled(1, 1, {
      decidedOn,
      cancelledAt: `${decidedOn}${NOW.slice(10)}`,
      effectiveAt: decidedOn,
      returned,
      ...changes,
    });
  /** Of the first term, through 2026-06-30. */
  const REST = returnedOf(0, FIRST, {
    premium: '220.80',
    net: '184.00',
    fee: '0.00',
    tax: '36.80',
    commission: '18.40',
  });
  const NOTHING = { premium: '0.00', net: '0.00', fee: '0.00', tax: '0.00', commission: '0.00' };
  const JUNE = { effectiveAt: '2026-06-30', cancelledAt: '2026-06-30T23:59:59.000Z' };
  const wrongDay = (message: string) => ({ fields: [{ field: 'effective_on', message }] });

  test('ends cover today, and records what was said', () => {
    const said = { merchant_feedback: 'too dear', alternative_offerings: ['a', null] };
    const recorded = { merchantFeedback: 'too dear', alternativeOfferings: ['a', null] };
    cancelBy('2026-06-30', said, bought()).then(cancelled('2026-06-30', [REST], recorded));
    cancelBy('2026-06-30', {}, bought(), renewedWith(NEXT)).then(cancelled('2026-06-30', [REST, returnedOf(1, NEXT)]));
  });

  test('ends cover on a later day of the term in force, at its last second in the zone', () => {
    const effective_on = '2026-06-30';
    cancelBy('2026-03-01', { effective_on }, bought()).then(cancelled('2026-03-01', [REST], JUNE));
    const inLagos = { ...JUNE, cancelledAt: '2026-06-30T22:59:59.000Z' };
    cancelBy('2026-03-01', { effective_on }, bought({ timeZone: 'Africa/Lagos' })).then(
      cancelled('2026-03-01', [REST], inLagos),
    );
    const last = { effectiveAt: '2026-12-31', cancelledAt: '2026-12-31T23:59:59.000Z' };
    cancelBy('2026-03-01', { effective_on: '2026-12-31' }, bought(), renewedWith(NEXT)).then(
      cancelled('2026-03-01', [returnedOf(0, FIRST, NOTHING), returnedOf(1, NEXT)], last),
    );
  });

  test('returns by the rules of the policy', () => {
    const cancellation = { coolingOffDays: 14, refundAfterClaim: true, minimumRetained: '200.00' };
    const rule = (refundRule: string) => ({ refundRule });
    cancelBy('2026-01-15', {}, bought({ cancellation })).then(
      cancelled('2026-01-15', [returnedOf(0, FIRST)], rule('cooling_off')),
    );
    const retained = { premium: '198.00', net: '165.00', fee: '0.00', tax: '33.00', commission: '16.50' };
    cancelBy('2026-01-16', {}, bought({ cancellation })).then(
      cancelled('2026-01-16', [returnedOf(0, FIRST, retained)]),
    );
  });

  test('returns everything of a policy that has not begun, waits or is in a gap, for today alone', () => {
    const not_begun = { refundRule: 'not_begun' };
    const short = ratedTerm('2026-01-01', 30);
    const cases: readonly (readonly [string, readonly object[], ...GivenEvent[]])[] = [
      ['2025-12-31', [returnedOf(0, FIRST)], bought({ status: 'accepted' })],
      ['2027-06-30', [returnedOf(0, FIRST)], WAITING],
      ['2026-03-01', [returnedOf(1, NEXT)], bought({}, short), renewedWith(NEXT)],
    ];
    for (const [today, returned, ...history] of cases) {
      cancelBy(today, {}, ...history).then(cancelled(today, returned, not_begun));
      for (const effective_on of ['2025-12-30', '2026-03-02', '2027-01-01'])
        for (const isPlatform of [true, false])
          cancelBy(today, { effective_on, isPlatform }, ...history).thenRefused(
            ...(['invalid_request', wrongDay(`must be ${today}: the policy is not in force today`)] as const),
          );
    }
  });

  test('ends cover on an earlier day for the platform, back to the day before the term in force', () => {
    const early = (effective_on: string, ...history: readonly GivenEvent[]) =>
      cancelBy('2027-03-01', { effective_on, isPlatform: true }, ...history);
    const history = [bought(), renewedWith(ratedTerm('2027-01-01'))];
    const through = (day: string) => ({ effectiveAt: day, cancelledAt: `${day}T23:59:59.000Z` });
    const rest = { premium: '436.80', net: '364.00', fee: '0.00', tax: '72.80', commission: '36.40' };
    early('2027-01-01', ...history).then(cancelled('2027-03-01', [returnedOf(1, NEXT, rest)], through('2027-01-01')));
    const both = [returnedOf(0, FIRST, NOTHING), returnedOf(1, NEXT)];
    early('2026-12-31', ...history).then(cancelled('2027-03-01', both, through('2026-12-31')));
    const range = wrongDay('must be a day from 2026-12-31 through 2027-12-31');
    for (const day of ['2026-12-30', '2028-01-01']) early(day, ...history).thenRefused('invalid_request', range);
    const merchants = wrongDay('must be a day from 2027-03-01 through 2027-12-31');
    for (const effective_on of ['2027-02-28', '2028-01-01'])
      cancelBy('2027-03-01', { effective_on }, ...history).thenRefused('invalid_request', merchants);
  });

  test('is not before the last change, which a renewal or a reinstatement is not', () => {
    const change = policyEvent('PolicyChanged', { reason: null, changes: [], terms: [], effectiveAt: '2026-02-01' });
    const early = (effective_on: string, ...history: readonly GivenEvent[]) =>
      cancelBy('2026-07-31', { effective_on, isPlatform: true }, bought(), ...history);
    early('2026-01-31', change).thenRefused('changed_after_day');
    expect(early('2026-02-01', change).error()).toBeUndefined();
    early('2026-06-30', changed(renewedWith(NEXT), {})).then(
      cancelled('2026-07-31', [REST, returnedOf(1, NEXT)], JUNE),
    );
    const again = policyEvent('PolicyReinstated', {
      reason: 'x',
      autoRenew: false,
      reinstated: [],
      effectiveAt: '2026-07-30',
    });
    early('2026-06-30', CANCELLED, again).then(cancelled('2026-07-31', [REST], JUNE));
  });

  test('is refused for a policy that has ended or run out, before its day is judged', () => {
    const day = { effective_on: '2025-01-01' };
    const toCome = changed(CANCELLED, { effectiveAt: '2026-12-31' });
    for (const end of [CANCELLED, toCome, policyDeclined(1, 1)])
      cancelBy('2026-03-01', day, bought(), end).thenRefused('policy_already_cancelled');
    cancelBy('2027-01-01', {}, bought(), toCome).thenRefused('policy_already_cancelled');
    cancelBy('2027-01-01', day, bought()).thenRefused('policy_expired');
  });
});
