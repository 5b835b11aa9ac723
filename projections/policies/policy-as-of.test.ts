import { describe, expect, test } from '@jest/globals';
import {
  policyActivated,
  policyCancelled,
  policyChanged,
  policyDeclined,
  policyImported,
  policyPurchased,
  policyReinstated,
  policyRenewed,
  policyTermImported,
  type SampleEvent,
  sampleTermId,
  term,
  termWithdrawn,
  toRecorded,
} from '#test/support/sample-events.ts';
import type { PolicyState } from '#domain/policy/policy.ts';
import type { PolicyEvent } from '#domain/policy/policy-events.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import type { AsOfState } from '../as-of.ts';
import { policyViewOn } from './policy-resource.ts';
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
const waiting = (of: number) => purchased(of, { waits: true });
const activated = (day: string, changes: object = {}) =>
  on(day, policyActivated(1, 1), { cause: 'back_office', ...changes });
const withdrawn = (day: string, of: number) => on(day, termWithdrawn(1, 1, year(of)));
const cancelled = (day: string, decidedOn = day) =>
  on(day, policyCancelled(1, 1), { cancelledAt: `${day}T10:00:00.000Z`, decidedOn });
const reinstated = (day: string) => on(day, policyReinstated(1, 1));
/** Changes the price of the term that the event of the revision agreed. */
const changed = (day: string, of: number, premium: string, revision = 0) =>
  on(day, policyChanged(1, 1, year(of, premium), revision));
const declined = (day: string) => on(day, policyDeclined(1, 1, `${day}T10:00:00.000Z`));

/** Returns status, first day of the shown term, premium and renewal date of the policy as of a day. */
function viewOn(day: string, samples: readonly SampleEvent[]) {
  const events = toRecorded(...samples) as readonly RecordedEvent<PolicyEvent>[];
  const state = events.reduce<AsOfState<PolicyState> | undefined>(
    (folded, event) => foldPolicyAsOf(folded, event, day),
    undefined,
  );
  const policy = policyAsOf(state, day);
  if (policy === undefined) return NOT_IN_FORCE_YET;
  const { status, effective_from, premium, renewal_date } = policyViewOn(policy, day);
  return [status, effective_from, premium, renewal_date?.slice(0, 10) ?? null].join(' ');
}

const FIRST = 'active 2024-01-01 100.00 2025-01-01';
const ENDED = 'cancelled 2024-01-01 100.00 ';
const ACTIVE_WITH_END = 'active 2024-01-01 100.00 ';
const movedTerm = { termId: sampleTermId(1, 0), from: '2024-03-01', through: '2025-03-01' };

describe('a policy as of a day', () => {
  test.each<[string, readonly SampleEvent[], Readonly<Record<string, string>>]>([
    ['of one term', [imported(2024)], { '2023-12-31': NOT_IN_FORCE_YET, '2024-01-01': FIRST, '2030-01-01': FIRST }],
    [
      'whose purchase has the day of the command',
      [on('2023-06-01', purchased(2024))],
      { '2023-12-31': NOT_IN_FORCE_YET },
    ],
    [
      'with a later term',
      [imported(2024), renewed(2025, '120.00')],
      { '2024-12-31': FIRST, '2025-01-01': 'active 2025-01-01 120.00 2026-01-01' },
    ],
    [
      'by terms imported out of order',
      [imported(2025), further(2024)],
      { '2024-06-01': FIRST, '2025-06-01': 'active 2025-01-01 100.00 2026-01-01' },
    ],
    ['without a recorded activation', [purchased(2024)], { '2024-01-01': FIRST }],
    ['that waits for activation', [waiting(2024)], { '2024-06-01': NOT_IN_FORCE_YET }],
    [
      'activated before its first day',
      [waiting(2024), activated('2023-12-01')],
      { '2023-12-31': NOT_IN_FORCE_YET, '2024-01-01': FIRST },
    ],
    [
      'activated late, which moved its term',
      [waiting(2024), activated('2024-03-01', { movedTerm })],
      { '2024-02-29': NOT_IN_FORCE_YET, '2024-03-01': 'active 2024-03-01 100.00 2025-03-02' },
    ],
    ['cancelled on the day', [imported(2024), cancelled('2024-06-01')], { '2024-05-31': FIRST, '2024-06-01': ENDED }],
    [
      'cancelled as of a later day, which an earlier view does not know',
      [imported(2024), renewed(2025), cancelled('2024-06-01', '2024-05-01')],
      { '2024-05-31': FIRST, '2024-06-01': ACTIVE_WITH_END, '2024-06-02': ENDED, '2025-06-01': ENDED },
    ],
    [
      'cancelled as of an earlier day',
      [imported(2024), cancelled('2024-06-01', '2024-07-01')],
      { '2024-05-31': FIRST, '2024-06-01': ENDED },
    ],
    [
      'cancelled as of the day before a term, which then never begins',
      [imported(2024), renewed(2025), cancelled('2024-12-31', '2025-02-01')],
      { '2024-12-31': ENDED, '2025-02-01': ENDED },
    ],
    [
      'reinstated, whenever that was decided',
      [imported(2024), renewed(2025, '120.00'), cancelled('2024-06-01'), reinstated('2024-06-01')],
      { '2024-06-01': FIRST, '2025-06-01': 'active 2025-01-01 120.00 2026-01-01' },
    ],
    [
      'changed in the middle of its term',
      [imported(2024), changed('2024-06-01', 2024, '150.00')],
      { '2024-05-31': FIRST, '2024-06-01': 'active 2024-01-01 150.00 2025-01-01' },
    ],
    [
      'with a later term that was changed before it began',
      [imported(2024), renewed(2025), changed('2024-06-01', 2025, '150.00', 1)],
      { '2024-06-01': FIRST, '2025-01-01': 'active 2025-01-01 150.00 2026-01-01' },
    ],
    [
      'cancelled before a later term',
      [imported(2024), renewed(2025, '120.00'), cancelled('2024-06-01')],
      { '2025-06-01': ENDED },
    ],
    [
      'cancelled before its first day',
      [waiting(2024), activated('2023-11-01'), cancelled('2023-12-01')],
      { '2024-06-01': NOT_IN_FORCE_YET },
    ],
    ['declined before its first day', [purchased(2024), declined('2023-12-01')], { '2024-06-01': NOT_IN_FORCE_YET }],
    [
      'declined while it waited',
      [waiting(2024), declined('2024-02-01')],
      { '2024-01-31': NOT_IN_FORCE_YET, '2024-02-01': NOT_IN_FORCE_YET },
    ],
    ['with a withdrawn term', [imported(2024), renewed(2025), withdrawn('2024-06-01', 2025)], { '2025-06-01': FIRST }],
    [
      'with a term withdrawn and renewed again on the same day',
      [imported(2024), renewed(2025), withdrawn('2024-06-01', 2025), renewed(2025, '130.00')],
      { '2024-06-01': FIRST, '2025-01-01': 'active 2025-01-01 130.00 2026-01-01' },
    ],
    [
      'with a later term withdrawn and an earlier one renewed instead',
      [imported(2024), renewed(2026), withdrawn('2024-06-01', 2026), renewed(2025, '130.00')],
      { '2025-06-01': 'active 2025-01-01 130.00 2026-01-01' },
    ],
  ])('%s', (_case, samples, expected) => {
    const views = Object.keys(expected).map((day) => [day, viewOn(day, samples)]);
    expect(Object.fromEntries(views)).toEqual(expected);
  });
});
