import type { ClaimEvent, ClaimState } from '../../src/domain/claim/claim.ts';
import { type Tags, merchantTags } from '../../src/domain/tags.ts';
import type { PolicyState } from '../../src/domain/policy/policy.ts';

/** The ids that every event of a claim carries, so that its readers find it. */
export type ClaimIds = Pick<
  ClaimEvent['data'],
  'claimId' | 'merchantId' | 'environmentId' | 'testMode' | 'customerId' | 'policyId'
>;

/** The ids of an existing claim. */
export function idsOf(state: ClaimState): ClaimIds {
  const { claimId, merchantId, environmentId, testMode, customerId, policyId } = state;
  return { claimId, merchantId, environmentId, testMode, customerId, policyId };
}

/** The ids of a new claim under a policy. */
export function idsUnder(policy: PolicyState, claimId: string, environmentId: number): ClaimIds {
  const { merchantId, testMode, customerId, policyId } = policy;
  return { claimId, merchantId, environmentId, testMode, customerId, policyId };
}

/** What an event of a claim names in its metadata. */
export function tagsOf(ids: ClaimIds): Tags {
  return { ...merchantTags(ids), customer: ids.customerId, policy: ids.policyId };
}
