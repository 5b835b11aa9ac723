import { z } from 'zod';
import { day } from '../src/event-sourcing/time.ts';
import { foldedPolicyOf, type PolicyDocument } from '../projections/policies/policies.ts';
import { termResourcesOn } from '../projections/policies/policy-resource.ts';
import { lastCalendarChange, todayOf } from '../src/domain/policy/cover.ts';
import { defineQuery } from './query.ts';
import { getPolicyDocument } from './resources.ts';
import { environmentChoice, money, policyPath } from './shapes.ts';
import { entityTagOf, parseBody, requireReadable } from './stored-documents.ts';

const coverageShape = z
  .strictObject({
    coverage_name: z.string(),
    coverage_type: z.string().nullable(),
    coverage_limit: money.nullable(),
    covered_items: z.json().optional().meta({ description: 'As they were sent with a renewal' }),
  })
  .meta({ id: 'Coverage' });

const termShape = z
  .strictObject({
    from: day.meta({ description: 'First day' }),
    through: day.meta({ description: 'Last day' }),
    premium: money.meta({ description: 'What the term costs, tax included' }),
    currency: z.string(),
    coverages: z.array(coverageShape),
    state: z.enum(['past', 'in_force', 'upcoming', 'withdrawn', 'cancelled']).meta({
      description:
        'On this day, in the zone of the policy. `upcoming` also while the policy waits for activation; `cancelled`: the policy ended before the first day',
    }),
  })
  .meta({ id: 'Term' });

export const listPolicyTerms = defineQuery({
  name: 'ListPolicyTerms',
  summary: 'Lists every term of a policy, by its first day: past, in force, upcoming, withdrawn or cancelled.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: policyPath,
  search: z.strictObject(environmentChoice),
  paged: false,
  response: z.strictObject({ auto_renew: z.boolean(), results: z.array(termShape) }),
  async answer({ path, search }, context) {
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
