import { z } from 'zod';
import { policyIds } from '#domain/policy/policy.ts';
import { AutoRenewalSwitched } from '#domain/policy/policy-events.ts';
import { refusalsOf } from '#domain/refusals.ts';
import { defineChange } from '../command.ts';
import { changeByIdOrNumber, findPolicyErrors, policyIdOrNumber } from './find-policy.ts';
import { checkNoEnd, checkNoEndErrors, checkNotExpired, checkNotExpiredErrors } from './policy-checks.ts';

const refuse = refusalsOf('policy_not_renewable');

/** Switches automatic renewal on or off. Without a change it records nothing. */
export const setAutoRenew = defineChange({
  ...changeByIdOrNumber,
  name: 'SetAutoRenew',
  summary: 'Switches the automatic renewal of a policy on or off.',
  description:
    'Switches automatic renewal on or off. The value that the policy already has records nothing. A policy whose last term is over cannot be switched on (`policy_expired`).',
  input: z.strictObject({ policy_id: policyIdOrNumber, auto_renew: z.boolean() }),
  example: { policy_id: 'c530ddb5-2b6b-5b7a-ae28-8fa4b289d210', auto_renew: false },
  response: z.strictObject({ policy_id: z.uuid(), policy_number: z.string(), auto_renew: z.boolean() }),
  errors: [...findPolicyErrors, ...checkNoEndErrors, ...refuse.codes, ...checkNotExpiredErrors],
  roles: ['merchant', 'admin'],
  decide(state, { auto_renew: autoRenew, today }) {
    checkNoEnd(state);
    if (!state.contract.renewable) throw refuse('policy_not_renewable', 'The product of the policy is not renewable');
    if (autoRenew) checkNotExpired(state, today);
    if (autoRenew === state.autoRenew) return [];
    return [{ type: AutoRenewalSwitched.type, data: { ...policyIds(state), autoRenew, effectiveAt: today } }];
  },
  result: ({ state: { policyId, contract, autoRenew } }) => ({
    policy_id: policyId,
    policy_number: contract.policyNumber,
    auto_renew: autoRenew,
  }),
});
