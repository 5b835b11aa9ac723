import { z } from 'zod';
import { policyJsonAt } from './policy-resources.ts';
import { readPage, linkedPaging, testModeOf, worldChoice } from './lists.ts';
import { defineQuery } from './query.ts';
import { policySchema } from '../projections/policies/policy-resource.ts';

export const listPolicies = defineQuery({
  name: 'ListPolicies',
  summary: 'Lists all purchased policies of all merchants.',
  roles: ['admin', 'auditor'],
  pathParameters: z.strictObject({}),
  search: z.strictObject({ ...linkedPaging, ...worldChoice }),
  paged: true,
  response: z.array(policySchema),
  async answer({ search }, context) {
    const where = { test_mode: testModeOf(context.reader, search) };
    return await readPage(context, 'policies', { ...search, where }, (document) => policyJsonAt(document, context.now));
  },
});
