import { z } from 'zod';
import { day } from '../src/event-sourcing/time.ts';
import { ownedValue } from '../projections/owner.ts';
import type { PolicyDocument } from '../projections/policies/policies.ts';
import { POLICY_STATUSES, policySchema } from '../projections/policies/policy-resource.ts';
import { isInForce } from '../src/domain/policy/cover.ts';
import type { Day } from '../src/event-sourcing/time.ts';
import { normalise } from '../src/event-sourcing/identifiers.ts';
import type { IndexValue, StoredDocument } from '../src/read-models/read-models.ts';
import { merchantListSearch, ownerOfList, readCursorPage } from './cursor-lists.ts';
import { policyJsonAt } from './list-policies.ts';
import { defineQuery } from './query.ts';
import { parseBody } from './stored-documents.ts';
import { idFilter, merchantPath, productTypeChoice } from './parameters.ts';

const filters = {
  policy_number: z
    .string()
    .trim()
    .min(1, 'must not be blank')
    .max(255, 'must have at most 255 characters')
    .transform(normalise)
    .optional()
    .meta({ description: 'Only the policy of this number' }),
  status: z
    .enum(POLICY_STATUSES, `must be one of: ${POLICY_STATUSES.join(', ')}`)
    .optional()
    .meta({ description: 'Only policies of this status' }),
  product_type: productTypeChoice.meta({ description: 'Only policies of this product type' }),
  customer_id: idFilter.meta({ description: 'Only policies of this customer' }),
  in_force_on: day.optional().meta({ description: 'Only policies in force on this day, each in its time zone' }),
};
type Filters = z.output<z.ZodObject<typeof filters>>;

export const listMerchantPolicies = defineQuery({
  name: 'ListMerchantPolicies',
  summary: 'Lists the policies of a merchant, newest first.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: merchantPath,
  search: z.strictObject({ ...merchantListSearch, ...filters }),
  paged: true,
  byCursor: true,
  response: z.array(policySchema),
  async respond({ path, search }, context) {
    const owner = await ownerOfList(context, path.short_code, search);
    const { limit, after, test_mode: _, ...given } = search;
    const list = {
      list: 'ListMerchantPolicies',
      owner,
      filters: given,
      collection: 'policies',
      where: indexConditions(owner, given),
      matches: (stored: StoredDocument) => matches(owner, given, stored),
      item: (stored: StoredDocument) => policyJsonAt(stored, context.now),
    };
    return await readCursorPage(context, list, { limit, after });
  },
});

/** Returns the conditions of the index that is expected to find the fewest policies. Nearly all policies are active. */
function indexConditions(
  owner: string,
  { policy_number: number, customer_id: customer, status, product_type }: Filters,
): Readonly<Record<string, IndexValue>> {
  if (number !== undefined) return { number, owner };
  if (customer !== undefined) return { customer, owner };
  if (status !== undefined && (status !== 'active' || product_type === undefined))
    return { owner_status: ownedValue(owner, status) };
  return product_type === undefined ? { owner } : { owner_type: ownedValue(owner, product_type) };
}

function matches(
  owner: string,
  { policy_number, customer_id, status, product_type, in_force_on }: Filters,
  stored: StoredDocument,
): boolean {
  const { number, customer, owner_status, owner_type } = stored.indexes;
  return (
    (policy_number === undefined || number === policy_number) &&
    (customer_id === undefined || customer === customer_id) &&
    (status === undefined || owner_status === ownedValue(owner, status)) &&
    (product_type === undefined || owner_type === ownedValue(owner, product_type)) &&
    (in_force_on === undefined || isInForceOn(stored, in_force_on))
  );
}

function isInForceOn(stored: StoredDocument, day: Day): boolean {
  return isInForce((parseBody(stored) as PolicyDocument).extra.lifecycle, day);
}
