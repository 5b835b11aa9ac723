import type { Day } from '../../src/event-sourcing/time.ts';
import { daysBetween } from '../../src/domain/values/dates.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { dayAfter, lastTerm, type PolicyEvent, type PolicyState } from '../../src/domain/policy/policy.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { endsInTime, renewed } from './renewal-term.ts';

/** The longest term (specification, Limits). */
const MOST_DAYS = 365;

/** The next term of a policy that renews by itself. */
export interface NextTerm {
  /** The day after the last one covered; it may lie in the past after a standstill, or in the future. */
  readonly start: Day;
  /** As many as the last term has, 1 to 365. */
  readonly days: number;
}

/**
 * The term with which a policy renews by itself; undefined when it does not: only what is active, renewable and has
 * `auto_renew` does, and only while days can be written (`decisions`: Policies, Renewal).
 */
export function nextTermOf(state: PolicyState): NextTerm | undefined {
  if (state.status !== 'active' || !state.renewable || !state.autoRenew) return undefined;
  const { from, through } = lastTerm(state.terms);
  const start = dayAfter(through);
  const days = Math.min(Math.max(daysBetween(from, through), 1), MOST_DAYS);
  return start === null || !endsInTime(start, days) ? undefined : { start, days };
}

/**
 * Renews a policy on the day its next term begins or any day after, if that term begins on `termFrom`: same duration, annual
 * premium by days, no change of coverage, and it goes on renewing by itself (`decisions`: Policies, Renewal).
 * @throws {Refusal} `policy_not_renewable` when it does not renew by itself on that day, or the day has not come
 */
export function decideDueRenewal(
  state: PolicyState,
  { termFrom, today }: { readonly termFrom: Day; readonly today: Day },
): readonly NewEvent<PolicyEvent>[] {
  const next = nextTermOf(state);
  if (next?.start !== termFrom)
    throw new Refusal('policy_not_renewable', `The policy does not renew by itself on ${termFrom}`);
  if (termFrom > today) throw new Refusal('policy_not_renewable', `The policy renews by itself on ${termFrom}`);
  return renewed(state, { ...next, autoRenew: true, coverageChange: null, added: 0n });
}
