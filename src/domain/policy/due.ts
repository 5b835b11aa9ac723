import { dayAfter } from '../values/dates.ts';
import type { Day } from '../../event-sourcing/time.ts';
import type { RefusalCode } from '../refusals.ts';
import { type Cover, isStorableTerm, lastTerm } from './cover.ts';
import { daysOf } from './term-premium.ts';

/** The longest term in days. */
export const MAX_TERM_DAYS = 365;

/** What the due changes of a policy depend on. */
interface Renewing extends Cover {
  readonly status: 'accepted' | 'active' | 'cancelled';
  readonly renewable: boolean;
  readonly autoRenew: boolean;
}

/** What the scheduler does to a policy on a day, or what the next command on the policy records first. */
export type DueChange =
  | { readonly kind: 'activation'; readonly day: Day }
  /** `day` is the first day of the new term. */
  | { readonly kind: 'renewal'; readonly day: Day; readonly days: number };

/**
 * Returns the next change of a policy that follows from the calendar alone: the activation of an accepted policy on its first
 * day, or the automatic renewal of an active one on the day after its last term, for as many days as that one has, at most `MAX_TERM_DAYS`.
 * Undefined for a policy that only a person can change, and when the new term would end after the last day of the calendar.
 */
export function dueChangeOf(policy: Renewing): DueChange | undefined {
  if (policy.status === 'cancelled') return undefined;
  if (policy.status === 'accepted') {
    return policy.coverFrom === null ? undefined : { kind: 'activation', day: policy.coverFrom };
  }
  if (!policy.renewable || !policy.autoRenew) return undefined;
  const last = lastTerm(policy);
  const day = dayAfter(last.through);
  const days = Math.min(daysOf(last), MAX_TERM_DAYS);
  return day === null || !isStorableTerm(day, days) ? undefined : { kind: 'renewal', day, days };
}

/** Refusals of a due change that another process has recorded, or that a person has made superfluous. */
export const NO_LONGER_DUE: readonly RefusalCode[] = [
  'policy_already_active',
  'policy_already_cancelled',
  'policy_not_active',
  'policy_not_begun',
  'policy_not_renewable',
];
