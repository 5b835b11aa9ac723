import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { beneficiaryResourcesOf, beneficiarySchema } from '#domain/policy/resource-parts.ts';
import { policyIds } from '#domain/policy/policy.ts';
import { BeneficiariesSet, type Beneficiary } from '#domain/policy/policy-events.ts';
import { defineChange } from '../command.ts';
import { beneficiariesInput, beneficiariesOf } from './beneficiaries.ts';
import { changeByIdOrNumber, findPolicyErrors, policyIdOrNumber } from './find-policy.ts';
import { checkNoEnd, checkNoEndErrors } from './policy-checks.ts';

const withoutId = ({ name, relationship, sharePercent }: Beneficiary) => ({ name, relationship, sharePercent });

/** Replaces the beneficiaries of a policy. Without a change it records nothing. */
export const setBeneficiaries = defineChange({
  ...changeByIdOrNumber,
  name: 'SetBeneficiaries',
  summary: 'Replaces the beneficiaries of a policy.',
  description:
    'Replaces the beneficiaries of a policy, each under a new id; an empty list removes them. It is possible while the policy waits and after its last term, and not once an end is recorded. All have a `share_percent`, and the shares add up to 100.00, or none has one. The same beneficiaries again record nothing.',
  input: z.strictObject({ policy_id: policyIdOrNumber, beneficiaries: beneficiariesInput }),
  example: {
    policy_id: 'c530ddb5-2b6b-5b7a-ae28-8fa4b289d210',
    beneficiaries: [
      { beneficiary_name: 'Chidi Okafor', relationship: 'brother', share_percent: '60.00' },
      { beneficiary_name: 'Ngozi Okafor', share_percent: '40.00' },
    ],
  },
  response: z.strictObject({
    policy_id: z.uuid(),
    policy_number: z.string(),
    beneficiaries: z.array(beneficiarySchema),
  }),
  errors: [...findPolicyErrors, ...checkNoEndErrors],
  roles: ['merchant', 'admin'],
  inEnvironment: true,
  lookUp: async (request, context, found) => ({
    ...changeByIdOrNumber.lookUp(request, context, found),
    beneficiaryId: (index: number) => context.derive('beneficiary', String(index)),
  }),
  decide(state, { beneficiaries: wanted, beneficiaryId, today }) {
    checkNoEnd(state);
    const beneficiaries = beneficiariesOf(wanted, beneficiaryId);
    if (isDeepStrictEqual(beneficiaries.map(withoutId), state.beneficiaries.map(withoutId))) return [];
    return [{ type: BeneficiariesSet.type, data: { ...policyIds(state), beneficiaries, effectiveAt: today } }];
  },
  result: ({ state }) => ({
    policy_id: state.policyId,
    policy_number: state.contract.policyNumber,
    beneficiaries: beneficiaryResourcesOf(state.beneficiaries),
  }),
});
