import { z } from 'zod';
import { type PolicyDocument, policies, resourceAt } from '../../projections/policies/policies.ts';
import type { PolicyResource } from '../../projections/policies/policy-resource.ts';
import { recordedAtOf } from '../../projections/address.ts';
import { policyStream } from '../../src/domain/policy/policy.ts';
import type { StoredEvent } from '../../src/event-store/event-store.ts';
import { paging } from '../lists.ts';
import { defineQuery } from '../query.ts';
import { getPolicyDocument } from '../resources.ts';
import { policyPath } from '../shapes.ts';
import { historyEntryShape, readHistoryPage } from './history-page.ts';

/** Returns the resource on the day on which the event was recorded, in the zone of the policy. */
export function policyResourceAt(document: PolicyDocument, event: StoredEvent): PolicyResource {
  return resourceAt(document, recordedAtOf(event));
}

export const getPolicyHistory = defineQuery({
  name: 'GetPolicyHistory',
  summary: 'Lists everything that happened to a policy, oldest first, with what each event changed.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: policyPath,
  search: z.strictObject(paging),
  paged: true,
  showsPaging: true,
  response: z.array(historyEntryShape),
  async answer({ path, search }, context) {
    const stored = await getPolicyDocument(context, path.policy_id);
    const ownStream = policyStream(stored.key);
    return await readHistoryPage(
      context,
      { projection: policies, ownStream, toResource: policyResourceAt },
      stored,
      search,
    );
  },
});
