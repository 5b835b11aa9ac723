import { z } from 'zod';
import { foldedPolicyOf, type PolicyDocument } from '../projections/policies/policies.ts';
import { termResourcesOn, termSchema } from '../projections/policies/policy-resource.ts';
import { lastCalendarChange, todayOf } from '../src/domain/policy/cover.ts';
import { defineQuery } from './query.ts';
import { getPolicyDocument } from './resources.ts';
import { entityTagOf, parseBody, requireReadable } from './stored-documents.ts';
import { environmentChoice, policyPath } from './parameters.ts';

export const listPolicyTerms = defineQuery({
  name: 'ListPolicyTerms',
  summary: 'Lists every term of a policy, by its first day: past, in force, upcoming, withdrawn or cancelled.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: policyPath,
  search: z.strictObject(environmentChoice),
  paged: false,
  response: z.strictObject({ auto_renew: z.boolean(), results: z.array(termSchema) }),
  async respond({ path, search }, context) {
    const found = await getPolicyDocument(context, path.policy_id, search.environment_id);
    const stored = requireReadable(found, 'policy_not_found');
    const policy = foldedPolicyOf(parseBody(stored) as PolicyDocument);
    const { lifecycle } = policy;
    const today = todayOf(lifecycle, context.now);
    const body = JSON.stringify({ auto_renew: lifecycle.autoRenew, results: termResourcesOn(policy, today) });
    const changedOn = lastCalendarChange(lifecycle, today);
    const etag = entityTagOf(context, 'policies', stored, changedOn);
    return { kind: 'resource', body, etag };
  },
});
