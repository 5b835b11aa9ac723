import { z } from 'zod';
import { linkedPaging, readPage } from './lists.ts';
import { policyJsonAt } from './policy-resources.ts';
import { defineQuery } from './query.ts';
import { getCustomerDocument } from './resources.ts';
import { customerPath } from './parameters.ts';
import { policySchema } from '../projections/policies/policy-resource.ts';

export const listCustomerPolicies = defineQuery({
  name: 'ListCustomerPolicies',
  summary: 'Lists all policies of a customer, oldest first.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: customerPath,
  search: z.strictObject(linkedPaging),
  paged: true,
  response: z.array(policySchema),
  async answer({ path, search }, context) {
    const { key: customer } = await getCustomerDocument(context, path.id);
    return await readPage(context, 'policies', { ...search, where: { customer } }, (stored) =>
      policyJsonAt(stored, context.now),
    );
  },
});
