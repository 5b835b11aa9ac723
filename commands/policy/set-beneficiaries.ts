import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { policyIds } from '#domain/policy/policy.ts';
import { BeneficiariesSet, type Beneficiary } from '#domain/policy/policy-events.ts';
import { defineChange } from '../command.ts';
import { beneficiariesInput, beneficiariesOf } from './beneficiaries.ts';
import { changeByIdOrNumber, policyIdOrNumber } from './find-policy.ts';
import { checkNoEnd } from './policy-checks.ts';

/** The path and the body of `PUT /api/v1/policies/{policy_id}/beneficiaries`. */
export const setBeneficiariesInput = z.strictObject({
  policy_id: policyIdOrNumber,
  beneficiaries: beneficiariesInput,
});

const withoutId = ({ name, relationship, sharePercent }: Beneficiary) => ({ name, relationship, sharePercent });

/** Replaces the beneficiaries of a policy. Without a change it records nothing. @throws {Refusal} `policy_already_cancelled` */
export const setBeneficiaries = defineChange({
  ...changeByIdOrNumber,
  name: 'SetBeneficiaries',
  summary: 'Replaces the beneficiaries of a policy.',
  input: setBeneficiariesInput,
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
  result: ({ state }, { resources }) => ({
    policy_id: state.policyId,
    policy_number: state.policyNumber,
    beneficiaries: resources.beneficiaryResourcesOf(state.beneficiaries),
  }),
});
