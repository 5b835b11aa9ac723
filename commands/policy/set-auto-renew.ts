import { z } from 'zod';
import { policyIds } from '#domain/policy/policy.ts';
import { AutoRenewalSwitched } from '#domain/policy/policy-events.ts';
import { Refusal } from '#domain/refusals.ts';
import { defineChange } from '../command.ts';
import { changeByIdOrNumber, policyIdOrNumber } from './find-policy.ts';
import { checkNoEnd, checkNotExpired } from './policy-checks.ts';

/** The path and the body of `POST /api/v1/policies/{policy_id}/auto_renew`. */
export const setAutoRenewInput = z.strictObject({ policy_id: policyIdOrNumber, auto_renew: z.boolean() });

/**
 * Switches automatic renewal on or off. Without a change it records nothing.
 * @throws {Refusal} `policy_already_cancelled`, `policy_not_renewable`, `policy_expired`
 */
export const setAutoRenew = defineChange({
  ...changeByIdOrNumber,
  name: 'SetAutoRenew',
  summary: 'Switches the automatic renewal of a policy on or off.',
  input: setAutoRenewInput,
  roles: ['merchant', 'admin'],
  decide(state, { auto_renew: autoRenew, today }) {
    checkNoEnd(state);
    if (!state.renewable) throw new Refusal('policy_not_renewable', 'The product of the policy is not renewable');
    if (autoRenew) checkNotExpired(state, today);
    if (autoRenew === state.autoRenew) return [];
    return [{ type: AutoRenewalSwitched.type, data: { ...policyIds(state), autoRenew, effectiveAt: today } }];
  },
  result: ({ state: { policyId, policyNumber, autoRenew } }) => ({
    policy_id: policyId,
    policy_number: policyNumber,
    auto_renew: autoRenew,
  }),
});
