import { describe, expect, test } from '@jest/globals';
import {
  policyActivated,
  policyCancelled,
  policyDeclined,
  policyImported,
  policyPurchased,
  policyRenewed,
  policyTermImported,
  type SampleEvent,
  term,
  termWithdrawn,
  toRecorded,
} from '../../test/support/sample-events.ts';
import type { PolicyEvent } from '../../src/domain/policy/policy-events.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import type { AsOfState } from '../as-of.ts';
import { type FoldedPolicy, policyResourceOn } from './policy-resource.ts';
import { foldPolicyAsOf, policyAsOf } from './policy-as-of.ts';

const NOT_IN_FORCE_YET = 'not in force yet';

const on = (effectiveAt: string, sample: SampleEvent, changes: object = {}): SampleEvent => ({
  ...sample,
  data: { ...sample.data, ...changes, effectiveAt },
});
const year = (of: number, premium?: string) => term(`${of}-01-01`, `${of}-12-31`, premium);
const imported = (of: number) => on(`${of}-01-01`, policyImported(1, 1, year(of)));
const further = (of: number) => on(`${of}-01-01`, policyTermImported(1, 1, year(of)));
const renewed = (of: number, premium?: string) => on(`${of}-01-01`, policyRenewed(1, 1, year(of, premium)));
const purchased = (of: number, changes: object = {}) =>
  on(`${of}-01-01`, policyPurchased(1, 1, year(of), { status: 'accepted', ...changes }));
const waiting = (of: number) => purchased(of, { inspectionRequired: true });
const activated = (day: string, changes: object = {}) =>
  on(day, policyActivated(1, 1), { cause: 'back_office', ...changes });
const withdrawn = (day: string, of: number) => on(day, termWithdrawn(1, 1, year(of)));
const cancelled = (day: string) => on(day, policyCancelled(1, 1), { cancelledAt: `${day}T10:00:00.000Z` });
const declined = (day: string) => on(day, policyDeclined(1, 1, `${day}T10:00:00.000Z`));

/** Returns status, first day of the shown term, premium and renewal date of the policy as of a day. */
function viewOn(day: string, samples: readonly SampleEvent[]) {
  const events = toRecorded(...samples) as readonly RecordedEvent<PolicyEvent>[];
  const state = events.reduce<AsOfState<FoldedPolicy> | undefined>(
    (folded, event) => foldPolicyAsOf(folded, event, day),
    undefined,
  );
  const policy = policyAsOf(state, day);
  if (policy === undefined) return NOT_IN_FORCE_YET;
  const { status, effective_from, premium, renewal_date } = policyResourceOn(policy, day);
  return [status, effective_from, premium, renewal_date?.slice(0, 10) ?? null].join(' ');
}

describe('a policy as of a day', () => {
  test.each([
    ['before its first term', [imported(2024)], '2023-12-31', NOT_IN_FORCE_YET],
    [
      'whose old purchase has the day of the command',
      [on('2023-06-01', purchased(2024))],
      '2023-12-31',
      NOT_IN_FORCE_YET,
    ],
    ['on the first day', [imported(2024)], '2024-01-01', 'active 2024-01-01 100.00 2025-01-01'],
    ['after its end', [imported(2024)], '2030-01-01', 'active 2024-01-01 100.00 2025-01-01'],
    [
      'without a term that begins later',
      [imported(2024), renewed(2025)],
      '2024-12-31',
      'active 2024-01-01 100.00 2025-01-01',
    ],
    [
      'with a term that begins on the day',
      [imported(2024), renewed(2025, '120.00')],
      '2025-01-01',
      'active 2025-01-01 120.00 2026-01-01',
    ],
    [
      'by terms imported out of order, of which the first begins later',
      [imported(2025), further(2024)],
      '2024-06-01',
      'active 2024-01-01 100.00 2025-01-01',
    ],
    [
      'by terms imported out of order, all of them',
      [imported(2025), further(2024)],
      '2025-06-01',
      'active 2025-01-01 100.00 2026-01-01',
    ],
    ['without a recorded activation', [purchased(2024)], '2024-01-01', 'active 2024-01-01 100.00 2025-01-01'],
    ['that waits for activation', [waiting(2024)], '2024-06-01', 'accepted 2024-01-01 100.00 2025-01-01'],
    [
      'activated before its first day, before that day',
      [waiting(2024), activated('2023-12-01')],
      '2023-12-31',
      NOT_IN_FORCE_YET,
    ],
    [
      'activated before its first day, on that day',
      [waiting(2024), activated('2023-12-01')],
      '2024-01-01',
      'active 2024-01-01 100.00 2025-01-01',
    ],
    [
      'between the first day and a late activation that moves the term',
      [waiting(2024), activated('2024-03-01', { movedTerm: { from: '2024-03-01', through: '2025-02-28' } })],
      '2024-02-29',
      'accepted 2024-01-01 100.00 2025-01-01',
    ],
    [
      'on the day of a late activation that moves the term',
      [waiting(2024), activated('2024-03-01', { movedTerm: { from: '2024-03-01', through: '2025-02-28' } })],
      '2024-03-01',
      'active 2024-03-01 100.00 2025-03-01',
    ],
    [
      'before the cancellation',
      [imported(2024), cancelled('2024-06-01')],
      '2024-05-31',
      'active 2024-01-01 100.00 2025-01-01',
    ],
    [
      'on the day of the cancellation',
      [imported(2024), cancelled('2024-06-01')],
      '2024-06-01',
      'cancelled 2024-01-01 100.00 ',
    ],
    [
      'cancelled before a later term',
      [imported(2024), renewed(2025, '120.00'), cancelled('2024-06-01')],
      '2025-06-01',
      'cancelled 2024-01-01 100.00 ',
    ],
    [
      'cancelled before its first day, on any day',
      [waiting(2024), activated('2023-11-01'), cancelled('2023-12-01')],
      '2024-06-01',
      NOT_IN_FORCE_YET,
    ],
    [
      'declined before its first day, on any day',
      [purchased(2024), declined('2023-12-01')],
      '2024-06-01',
      NOT_IN_FORCE_YET,
    ],
    [
      'before it was declined while it waited',
      [waiting(2024), declined('2024-02-01')],
      '2024-01-31',
      'accepted 2024-01-01 100.00 2025-01-01',
    ],
    ['declined while it waited', [waiting(2024), declined('2024-02-01')], '2024-02-01', 'cancelled 2024-01-01 100.00 '],
    [
      'without a withdrawn term, after its first day',
      [imported(2024), renewed(2025), withdrawn('2024-06-01', 2025)],
      '2025-06-01',
      'active 2024-01-01 100.00 2025-01-01',
    ],
    [
      'with a term withdrawn and renewed again on the same day, before that day',
      [imported(2024), renewed(2025), withdrawn('2024-06-01', 2025), renewed(2025, '130.00')],
      '2024-06-01',
      'active 2024-01-01 100.00 2025-01-01',
    ],
    [
      'with a term withdrawn and renewed again on the same day, from that day',
      [imported(2024), renewed(2025), withdrawn('2024-06-01', 2025), renewed(2025, '130.00')],
      '2025-01-01',
      'active 2025-01-01 130.00 2026-01-01',
    ],
    [
      'with a later term withdrawn and an earlier one renewed instead',
      [imported(2024), renewed(2026), withdrawn('2024-06-01', 2026), renewed(2025, '130.00')],
      '2025-06-01',
      'active 2025-01-01 130.00 2026-01-01',
    ],
  ] as const)('%s', (_case, samples, day, expected) => {
    expect(viewOn(day, samples)).toBe(expected);
  });
});
