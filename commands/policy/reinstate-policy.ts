import { z } from 'zod';
import { changesWithdrawn } from '#domain/policy/changes.ts';
import { firstTerm } from '#domain/policy/cover.ts';
import { policyIds, type PolicyState } from '#domain/policy/policy.ts';
import { PolicyActivated, PolicyChanged, type PolicyEvent, PolicyReinstated } from '#domain/policy/policy-events.ts';
import { refusalsOf } from '#domain/refusals.ts';
import type { NewEvent } from '#event-sourcing/event.ts';
import type { Day } from '#event-sourcing/time.ts';
import { defineChange } from '../command.ts';
import { resourceId, text } from '../shared/fields.ts';
import { changeByIdOrNumber, findPolicyErrors } from './find-policy.ts';
import { checkNotExpired, checkNotExpiredErrors } from './policy-checks.ts';

const refuse = refusalsOf('policy_not_cancelled');

/** A policy whose first day has come meanwhile becomes active at once. */
function dueActivation(state: PolicyState, today: Day): readonly NewEvent<PolicyEvent>[] {
  const { from } = firstTerm(state);
  if (state.status === 'active' || state.waits || from > today) return [];
  const data = { ...policyIds(state), cause: 'start_day' as const, status: 'active' as const, movedTerm: null };
  return [{ type: PolicyActivated.type, data: { ...data, effectiveAt: from } }];
}

/** The changes that the cancellation took back. */
function changesAgain(state: PolicyState): readonly NewEvent<PolicyEvent>[] {
  return changesWithdrawn(state).map(({ changes, ...change }) => {
    return { type: PolicyChanged.type, data: { ...policyIds(state), ...change, changes: [...changes] } };
  });
}

/**
 * Undoes a cancellation: cover goes on without a gap, and every returned amount is owed again.
 */
export const reinstatePolicy = defineChange({
  ...changeByIdOrNumber,
  name: 'ReinstatePolicy',
  summary: 'Undoes the cancellation of a policy whose last term has not run out.',
  description:
    'Undoes a cancellation while the last term has not run out, or the policy waits: terms and automatic renewal are as before it, cover goes on without a gap, and every returned amount is owed again. A declined policy is `cancelled` too, but cannot be reinstated (`policy_not_cancelled`).',
  input: z.strictObject({ policy_id: resourceId, reason: text(500) }),
  example: { policy_id: '66ebea34-d0ad-5580-8528-734c15923128', reason: 'The house was not sold after all' },
  response: z.strictObject({}),
  errors: [...findPolicyErrors, ...refuse.codes, ...checkNotExpiredErrors],
  decide(state, { reason, today }) {
    const { end } = state;
    if (end?.kind !== 'cancelled')
      throw refuse('policy_not_cancelled', end === null ? 'The policy is not cancelled' : 'The policy was declined');
    checkNotExpired(state, today);
    const { autoRenewBefore: autoRenew, returned: reinstated, day: effectiveAt } = end;
    const data = { ...policyIds(state), reason, autoRenew, reinstated: [...reinstated], effectiveAt };
    return [{ type: PolicyReinstated.type, data }, ...changesAgain(state), ...dueActivation(state, today)];
  },
});
