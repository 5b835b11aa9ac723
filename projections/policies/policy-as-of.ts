import { hasBegun } from '#domain/policy/cover.ts';
import { evolvePolicy, type PolicyState } from '#domain/policy/policy.ts';
import type { PolicyEvent } from '#domain/policy/policy-events.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import type { Day } from '#event-sourcing/time.ts';
import { type AsOfState, documentAsOf, foldAsOf } from '../as-of.ts';

/**
 * Folds an event into a policy as of a day in its zone: `foldAsOf` without the terms that begin after the day and the
 * events about them. Fold all events of the policy in the order of the log, with `known_at` up to the first that was
 * recorded later; then `policyAsOf` returns the policy.
 */
export function foldPolicyAsOf(
  state: AsOfState<PolicyState> | undefined,
  event: RecordedEvent<PolicyEvent>,
  day: Day,
): AsOfState<PolicyState> {
  const first = firstDayOf(event);
  const isLeftOut = first !== undefined && first > day;
  if (state !== undefined) return isLeftOut ? state : foldAsOf(evolvePolicy, state, event, day);
  const made = foldAsOf(evolvePolicy, state, event, day);
  return isLeftOut ? { ...made, document: { ...made.document, terms: [] } } : made;
}

/**
 * Returns the policy as of the day for which its events were folded; undefined when it is not in force yet, because no
 * term has begun. It is active from the day on which cover begins, whether or not its activation is recorded.
 */
export function policyAsOf(state: AsOfState<PolicyState> | undefined, day: Day): PolicyState | undefined {
  const policy = documentAsOf(state);
  if (policy === undefined) return undefined;
  return policy.terms.some((term) => hasBegun(policy, term, day)) ? { ...policy, status: 'active' } : undefined;
}

/**
 * Returns the first day of the term that an event adds or withdraws; undefined for an event about the policy as a
 * whole.
 */
function firstDayOf({ type, data }: PolicyEvent): Day | undefined {
  switch (type) {
    case 'PolicyImported':
    case 'PolicyPurchased':
    case 'PolicyTermImported':
    case 'PolicyRenewed':
      return data.term.from;
    case 'TermWithdrawn':
      return data.returned.from;
    default:
      return undefined;
  }
}
