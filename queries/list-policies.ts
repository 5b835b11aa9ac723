import { z } from 'zod';
import { type PolicyDocument, resourceAt } from '../projections/policies/policies.ts';
import { policySchema } from '../projections/policies/policy-resource.ts';
import { resourceJsonOf } from '../projections/schema.ts';
import type { Instant } from '../src/event-sourcing/time.ts';
import type { StoredDocument } from '../src/read-models/read-models.ts';
import { linkedPaging, readPage, testModeOf, testModeSearch } from './lists.ts';
import { customerPath } from './parameters.ts';
import { defineQuery } from './query.ts';
import { getCustomerDocument } from './resources.ts';
import { parseBody } from './stored-documents.ts';

/**
 * Returns the JSON text of the resource of a policy at an instant. The stored resource is right until the instant in the index
 * `shown_until`, when another term is shown.
 */
export function policyJsonAt(stored: StoredDocument, now: Instant): string {
  const { shown_until: until } = stored.indexes;
  if (stored.body !== undefined && (typeof until !== 'string' || now < until)) return resourceJsonOf(stored.body);
  return JSON.stringify(resourceAt(parseBody(stored) as PolicyDocument, now));
}

export const listPolicies = defineQuery({
  name: 'ListPolicies',
  summary: 'Lists all purchased policies of all merchants.',
  roles: ['admin', 'auditor'],
  pathParameters: z.strictObject({}),
  search: z.strictObject({ ...linkedPaging, ...testModeSearch }),
  paged: true,
  response: z.array(policySchema),
  async respond({ search }, context) {
    const where = { test_mode: testModeOf(context.reader, search) };
    return await readPage(context, 'policies', { ...search, where }, (document) => policyJsonAt(document, context.now));
  },
});

export const listCustomerPolicies = defineQuery({
  name: 'ListCustomerPolicies',
  summary: 'Lists all policies of a customer, oldest first.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: customerPath,
  search: z.strictObject(linkedPaging),
  paged: true,
  response: z.array(policySchema),
  async respond({ path, search }, context) {
    const { key: customer } = await getCustomerDocument(context, path.id);
    return await readPage(context, 'policies', { ...search, where: { customer } }, (stored) =>
      policyJsonAt(stored, context.now),
    );
  },
});
