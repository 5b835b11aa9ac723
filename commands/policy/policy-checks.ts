import { lastTerm } from '../../src/domain/policy/cover.ts';
import type { PolicyState } from '../../src/domain/policy/policy.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import type { Day } from '../../src/event-sourcing/time.ts';

/** Checks that no end is recorded, not even one that is still to come. @throws {Refusal} `policy_already_cancelled` */
export function checkNotEnded({ end }: PolicyState): void {
  if (end !== null)
    throw new Refusal('policy_already_cancelled', `The policy was cancelled; its last day is ${end.day}`);
}

/** Checks that cover has not begun. @throws {Refusal} `policy_already_cancelled`, `policy_already_active` */
export function checkAccepted(state: PolicyState): void {
  checkNotEnded(state);
  if (state.status === 'active') throw new Refusal('policy_already_active', 'The policy is active already');
}

/**
 * Checks that the last term has not run out; a policy that waits has not.
 * @param today in the zone of the policy
 * @throws {Refusal} `policy_expired`
 */
export function checkNotExpired(state: PolicyState, today: Day): void {
  const { through } = lastTerm(state);
  if (!state.waits && today > through)
    throw new Refusal('policy_expired', `The last term of the policy ended on ${through}`);
}
