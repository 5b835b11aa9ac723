import { type PolicyDocument, policies, resourceAt } from '../../projections/policies/policies.ts';
import type { PolicyResource } from '../../projections/policies/policy-resource.ts';
import { recordedAtOf } from '../../projections/address.ts';
import type { StoredEvent } from '../../src/event-store/event-store.ts';
import { getPolicyDocument } from '../resources.ts';
import { environmentChoice, policyPath } from '../parameters.ts';
import { defineHistory } from './define-history.ts';
import { historyOf } from './history-page.ts';

/** Returns the resource on the day on which the event was recorded, in the zone of the policy. */
export function policyResourceAt(document: PolicyDocument, event: StoredEvent): PolicyResource {
  return resourceAt(document, recordedAtOf(event));
}

export const getPolicyHistory = defineHistory({
  name: 'GetPolicyHistory',
  summary: 'Lists everything that happened to a policy, oldest first, with what each event changed.',
  pathParameters: policyPath,
  search: environmentChoice,
  read: async ({ path, search }, context) => {
    const stored = await getPolicyDocument(context, path.policy_id, search.environment_id);
    return historyOf(context, { projection: policies, toResource: policyResourceAt }, stored);
  },
});
