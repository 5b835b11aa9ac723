import { lastTerm } from '../../src/domain/policy/cover.ts';
import type { PolicyState } from '../../src/domain/policy/policy.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import type { Day } from '../../src/event-sourcing/time.ts';

/** Checks that the policy was not cancelled. @throws {Refusal} `policy_already_cancelled` */
export function checkNotCancelled({ cancellation }: PolicyState): void {
  if (cancellation !== null)
    throw new Refusal('policy_already_cancelled', `The policy was cancelled on ${cancellation.at}`);
}

/** Checks that the policy has not begun. @throws {Refusal} `policy_already_cancelled`, `policy_already_active` */
export function checkAccepted(state: PolicyState): void {
  checkNotCancelled(state);
  if (state.status === 'active') throw new Refusal('policy_already_active', 'The policy is active already');
}

/**
 * Checks that the last term has not ended.
 * @param today in the zone of the policy
 * @throws {Refusal} `policy_expired`
 */
export function checkNotExpired(state: PolicyState, today: Day): void {
  const { through } = lastTerm(state);
  if (today > through) throw new Refusal('policy_expired', `The last term of the policy ended on ${through}`);
}
