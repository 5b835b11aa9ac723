import { type CoverTerm, hasBegun } from '../../src/domain/policy/cover.ts';
import type { Lifecycle } from '../../src/domain/policy/lifecycle.ts';
import type { PolicyEvent } from '../../src/domain/policy/policy-events.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import type { Day } from '../../src/event-sourcing/time.ts';
import { type AsOfState, documentAsOf, foldAsOf } from '../as-of.ts';
import { type FoldedPolicy, foldPolicy } from './policy-resource.ts';

/** What a fold makes of a policy: at least its lifecycle. */
interface WithLifecycle {
  readonly lifecycle: Lifecycle<CoverTerm>;
}

/**
 * Folds an event into a policy as of a day in its zone: `foldAsOf` without the terms that begin after the day and the events about
 * them. Fold all events of the policy in the order of the log, with `known_at` up to the first that was recorded later; then
 * `policyAsOf` returns the policy.
 */
export function foldPolicyAsOf(
  state: AsOfState<FoldedPolicy> | undefined,
  event: RecordedEvent<PolicyEvent>,
  day: Day,
): AsOfState<FoldedPolicy> {
  return foldLifecycleAsOf(foldPolicy, state, event, day);
}

/** Folds an event as `foldPolicyAsOf` does, with another fold of the policy. */
export function foldLifecycleAsOf<Policy extends WithLifecycle>(
  fold: (policy: Policy | undefined, event: RecordedEvent<PolicyEvent>) => Policy,
  state: AsOfState<Policy> | undefined,
  event: RecordedEvent<PolicyEvent>,
  day: Day,
): AsOfState<Policy> {
  const first = firstDayOf(event);
  const isLeftOut = first !== undefined && first > day;
  if (state !== undefined) return isLeftOut ? state : foldAsOf(fold, state, event, day);
  const made = foldAsOf(fold, state, event, day);
  return isLeftOut ? { ...made, document: withoutTerms(made.document) } : made;
}

/**
 * Returns the policy as of the day for which its events were folded; undefined when it is not in force yet, because no term has
 * begun. It is active from the day on which cover begins, whether or not its activation is recorded.
 */
export function policyAsOf<Policy extends WithLifecycle>(
  state: AsOfState<Policy> | undefined,
  day: Day,
): Policy | undefined {
  const policy = documentAsOf(state);
  if (policy === undefined) return undefined;
  const { lifecycle } = policy;
  if (!lifecycle.terms.some((term) => hasBegun(lifecycle, term, day))) return undefined;
  const isActive = lifecycle.status === 'accepted' && lifecycle.coverFrom !== null && lifecycle.coverFrom <= day;
  return isActive ? { ...policy, lifecycle: { ...lifecycle, status: 'active' } } : policy;
}

/** Returns the first day of the term that an event adds or withdraws; undefined for an event about the policy as a whole. */
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

function withoutTerms<Policy extends WithLifecycle>(policy: Policy): Policy {
  return { ...policy, lifecycle: { ...policy.lifecycle, terms: [], coverFrom: null } };
}
