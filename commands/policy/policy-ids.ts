import { type Tags, merchantTags } from '../../src/domain/tags.ts';
import type { PolicyEvent, PolicyState } from '../../src/domain/policy/policy.ts';

/** The ids that every event of a policy carries, so that its readers find it. */
export type PolicyIds = Pick<
  PolicyEvent['data'],
  'policyId' | 'merchantId' | 'environmentId' | 'testMode' | 'customerId'
>;

/** The ids of an existing policy. */
export function idsOf(state: PolicyState): PolicyIds {
  const { policyId, merchantId, environmentId, testMode, customerId } = state;
  return { policyId, merchantId, environmentId, testMode, customerId };
}

/** What an event of a policy names in its metadata. */
export function tagsOf(ids: PolicyIds): Tags {
  return { ...merchantTags(ids), customer: ids.customerId, policy: ids.policyId };
}
