import { z } from 'zod';
import type { Day } from '../../src/event-sourcing/time.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { todayOf } from '../../src/domain/policy/cover.ts';
import { type PolicyState, policy, policyIds, policyTags } from '../../src/domain/policy/policy.ts';
import { AutoRenewalSwitched, type PolicyEvent } from '../../src/domain/policy/policy-events.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { defineCommand } from '../command.ts';
import { findTargetPolicyByKey, policyKey } from './find-policy.ts';
import { checkNotCancelled, checkNotExpired } from './policy-checks.ts';

/** The path and the body of `POST /api/v1/policies/{policy_id}/auto_renew`. */
export const setAutoRenewInput = z.strictObject({ policy_id: policyKey, auto_renew: z.boolean() });

interface Switch {
  readonly autoRenew: boolean;
  /** In the zone of the policy. */
  readonly today: Day;
}

/**
 * Switches automatic renewal on or off. Without a change it records nothing.
 * @throws {Refusal} `policy_already_cancelled`, `policy_not_renewable`, `policy_expired`
 */
function decideAutoRenew(state: PolicyState, { autoRenew, today }: Switch): readonly NewEvent<PolicyEvent>[] {
  checkNotCancelled(state);
  if (!state.renewable) throw new Refusal('policy_not_renewable', 'The product of the policy is not renewable');
  if (autoRenew) checkNotExpired(state, today);
  if (autoRenew === state.autoRenew) return [];
  return [{ type: AutoRenewalSwitched.type, data: { ...policyIds(state), autoRenew, effectiveAt: today } }];
}

export const setAutoRenew = defineCommand({
  name: 'SetAutoRenew',
  summary: 'Switches the automatic renewal of a policy on or off.',
  input: setAutoRenewInput,
  roles: ['merchant', 'admin'],
  takesIfMatch: true,
  changesOneStream: true,
  aggregate: policy,
  decide: decideAutoRenew,
  handle: async ({ policy_id: idOrNumber, auto_renew: autoRenew }, context) => {
    const found = await findTargetPolicyByKey(context, idOrNumber);
    const events = decideAutoRenew(found.state, { autoRenew, today: todayOf(found.state, context.now) });
    return { target: found, events, tags: policyTags(found.state) };
  },
  result: ({ state: { policyId, policyNumber, autoRenew } }) => ({
    policy_id: policyId,
    policy_number: policyNumber,
    auto_renew: autoRenew,
  }),
});
