import { dayAfter } from '../values/dates.ts';
import type { Day } from '#event-sourcing/time.ts';
import { YEAR_DAYS } from '../values/price.ts';
import type { RefusalCode } from '../refusals.ts';
import { firstTerm, lastTerm } from './cover.ts';
import type { Contract, PolicyState } from './policy.ts';
import { type DayRange, daysOf, isStorable, termDays } from './term.ts';

/** The longest duration that a request gives in days. It is a year, which may have one day more. */
export const MAX_TERM_DAYS = YEAR_DAYS;

interface Renewing extends Pick<PolicyState, 'terms' | 'status' | 'waits' | 'end' | 'autoRenew'> {
  readonly contract: Pick<Contract, 'renewable'>;
}

/** What the scheduler does to a policy on a day, or what the next command on the policy records first. */
export type DueChange =
  | { readonly kind: 'activation'; readonly day: Day }
  /** `day` is the first day of the new term. */
  | { readonly kind: 'renewal'; readonly day: Day; readonly term: DayRange };

/**
 * Returns the next change of a policy that follows from the calendar alone: the activation of an accepted policy on its
 * first day, or the automatic renewal of an active one on the day after its last term. Undefined for a policy that only
 * a person can change, and when the new term would end after the last day of the calendar.
 */
export function dueChangeOf(policy: Renewing): DueChange | undefined {
  if (policy.end !== null || policy.waits) return undefined;
  if (policy.status === 'accepted') return { kind: 'activation', day: firstTerm(policy).from };
  if (!policy.contract.renewable || !policy.autoRenew) return undefined;
  const last = lastTerm(policy);
  const day = dayAfter(last.through);
  const term = day === null ? undefined : termDays(day, daysOf(last));
  return day === null || term === undefined || !isStorable(term) ? undefined : { kind: 'renewal', day, term };
}

/** Refusals of a due change that another process has recorded, or that a person has made superfluous. */
export const NO_LONGER_DUE: readonly RefusalCode[] = [
  'policy_already_active',
  'policy_already_cancelled',
  'policy_not_active',
  'policy_not_begun',
  'policy_not_renewable',
];
