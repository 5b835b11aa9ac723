import { describe, test } from '@jest/globals';
import { given, type GivenEvent } from '#test/support/given.ts';
import { changed, FIRST, policyEvent, returnedOf, bought, WAITING, CANCELLED } from '#test/support/policy-events.ts';
import { policyDeclined } from '#test/support/sample-events.ts';
import { reinstatePolicy } from './reinstate-policy.ts';

describe('ReinstatePolicy', () => {
  const reinstate = (today: string, ...history: readonly GivenEvent[]) =>
    given(...history).when(reinstatePolicy, { reason: 'mistake', today });
  const returned = [
    returnedOf(0, FIRST, { premium: '120.00', net: '100.00', fee: '0.00', tax: '20.00', commission: '10.00' }),
  ];
  const ended = changed(CANCELLED, { returned });
  const reinstated = (autoRenew: boolean) =>
    policyEvent('PolicyReinstated', { reason: 'mistake', autoRenew, reinstated: returned, effectiveAt: '2026-09-30' });

  test('makes every returned amount owed again, as of the day of the cancellation, and restores automatic renewal', () => {
    for (const today of ['2026-03-01', '2026-12-31']) {
      reinstate(today, bought(), ended).then(reinstated(false));
      reinstate(today, bought({ autoRenew: true }), ended).then(reinstated(true));
    }
  });

  test('makes a policy active whose first day has come meanwhile', () => {
    const early = bought({ status: 'accepted' });
    const active = policyEvent('PolicyActivated', {
      cause: 'start_day',
      status: 'active',
      movedTerm: null,
      effectiveAt: '2026-01-01',
    });
    reinstate('2026-03-01', early, ended).then(reinstated(false), active);
    reinstate('2025-12-31', early, ended).then(reinstated(false));
  });

  test('is possible for a policy that waited, after the days of its term', () => {
    reinstate('2027-06-01', WAITING, ended).then(reinstated(false));
  });

  test('is refused for a policy that is not cancelled, was declined, or has run out', () => {
    reinstate('2027-01-01', bought()).thenRefused('policy_not_cancelled');
    reinstate('2026-03-01', bought(), ended, reinstated(false)).thenRefused('policy_not_cancelled');
    reinstate('2026-03-01', WAITING, policyDeclined(1, 1)).thenRefused('policy_not_cancelled');
    reinstate('2027-01-01', bought(), ended).thenRefused('policy_expired');
  });
});
