import { z } from 'zod';
import { ownedValue } from '../projections/owner.ts';
import { type PolicyDocument, resourceAt, viewChangedOn } from '../projections/policies/policies.ts';
import {
  POLICY_STATUSES,
  policyResourceOn,
  policySchema,
  termResourcesOn,
  termSchema,
} from '../projections/policies/policy-resource.ts';
import { resourceJsonOf } from '../projections/schema.ts';
import { isInForce, lastTermChange, lastViewChange, statusOn, todayOf } from '../src/domain/policy/cover.ts';
import type { PolicyState } from '../src/domain/policy/policy.ts';
import { normalise } from '../src/event-sourcing/identifiers.ts';
import { day, type Day, type Instant } from '../src/event-sourcing/time.ts';
import type { IndexValue, StoredDocument } from '../src/read-models/read-models.ts';
import { merchantListSearch, ownerOfList, readCursorPage } from './cursor-lists.ts';
import { policyAt } from './history/past-document.ts';
import { pointInTimeOf, pointInTimeSearch } from './history/point-in-time.ts';
import { linkedPaging, readPage, testModeOf, testModeSearch } from './lists.ts';
import {
  customerPath,
  environmentChoice,
  idFilter,
  merchantPath,
  policyPath,
  productTypeChoice,
} from './parameters.ts';
import { defineQuery } from './query.ts';
import { entityTagOf, getCustomerDocument, getPolicyDocument, parseBody, requireReadable } from './resources.ts';

export const getPolicy = defineQuery({
  name: 'GetPolicy',
  summary: 'Reads one policy by its id or its number, as it is, as of a day or as it was known at an instant.',
  pathParameters: policyPath,
  search: z.strictObject({ ...environmentChoice, ...pointInTimeSearch }),
  response: policySchema,
  async respond({ path, search }, context) {
    const pointInTime = await pointInTimeOf(search, context);
    const stored = await getPolicyDocument(context, path.policy_id, search.environment_id);
    if (pointInTime !== undefined) {
      const { policy, day } = await policyAt(context, stored, pointInTime);
      return { kind: 'resource', body: JSON.stringify(policyResourceOn(policy, day)), etag: undefined };
    }
    const document = requireReadable(stored, 'policy_not_found');
    const { body, changedOn } = policyViewAt(document, context.now);
    return { kind: 'resource', body, etag: entityTagOf(context, 'policies', document, changedOn) };
  },
});

/** The view of a policy as JSON text, and the last day on which the calendar alone changed it. */
interface PolicyView {
  readonly body: string;
  readonly changedOn: Day | null;
}

/** What a view is read from. */
type StoredView = Pick<StoredDocument, 'key' | 'body' | 'indexes'>;

/** Returns the view of a policy at an instant. The stored one is right until the instant in the index `shown_until`. */
function policyViewAt(stored: StoredView, now: Instant): PolicyView {
  const { shown_until: until } = stored.indexes;
  if (stored.body !== undefined && (typeof until !== 'string' || now < until))
    return { body: resourceJsonOf(stored.body), changedOn: viewChangedOn(stored.body) };
  const document = parseBody(stored) as PolicyDocument;
  const { policy } = document.extra;
  return {
    body: JSON.stringify(resourceAt(document, now)),
    changedOn: lastViewChange(policy, todayOf(policy, now)),
  };
}

/** Returns the JSON text of the resource of a policy at an instant. */
export function policyJsonAt(stored: StoredView, now: Instant): string {
  return policyViewAt(stored, now).body;
}

export const listPolicies = defineQuery({
  name: 'ListPolicies',
  summary: 'Lists all purchased policies of all merchants.',
  roles: ['admin', 'auditor'],
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
      matches: (stored: StoredDocument) => matches(owner, given, stored, context.now),
      item: (stored: StoredDocument) => policyJsonAt(stored, context.now),
    };
    return await readCursorPage(context, list, { limit, after });
  },
});

/**
 * Returns the conditions of the index that is expected to find the fewest policies. The status `active` is no condition: nearly all policies are
 * active, and the index has a policy as cancelled as soon as its end is recorded, while it is still active.
 */
function indexConditions(
  owner: string,
  { policy_number: number, customer_id: customer, status, product_type }: Filters,
): Readonly<Record<string, IndexValue>> {
  if (number !== undefined) return { number, owner };
  if (customer !== undefined) return { customer, owner };
  if (status !== undefined && status !== 'active') return { owner_status: ownedValue(owner, status) };
  return product_type === undefined ? { owner } : { owner_type: ownedValue(owner, product_type) };
}

function matches(
  owner: string,
  { policy_number, customer_id, status, product_type, in_force_on }: Filters,
  stored: StoredDocument,
  now: Instant,
): boolean {
  const { number, customer, owner_type } = stored.indexes;
  return (
    (policy_number === undefined || number === policy_number) &&
    (customer_id === undefined || customer === customer_id) &&
    (status === undefined || statusAt(owner, stored, now) === status) &&
    (product_type === undefined || owner_type === ownedValue(owner, product_type)) &&
    (in_force_on === undefined || isInForceOn(stored, in_force_on))
  );
}

/** Only the status of a policy whose end is recorded depends on the day. */
function statusAt(owner: string, stored: StoredDocument, now: Instant): string | undefined {
  const settled = POLICY_STATUSES.find((status) => stored.indexes.owner_status === ownedValue(owner, status));
  if (settled !== 'cancelled') return settled;
  const { policy } = (parseBody(stored) as PolicyDocument).extra;
  return statusOn(policy, todayOf(policy, now));
}

function isInForceOn(stored: StoredDocument, day: Day): boolean {
  return isInForce((parseBody(stored) as PolicyDocument).extra.policy, day);
}

export const listPolicyTerms = defineQuery({
  name: 'ListPolicyTerms',
  summary:
    'Lists every term of a policy, by its first day: past, in force, upcoming, withdrawn or cancelled; as it is, as of a day or as it was known at an instant.',
  pathParameters: policyPath,
  search: z.strictObject({ ...environmentChoice, ...pointInTimeSearch }),
  response: z.strictObject({ auto_renew: z.boolean(), results: z.array(termSchema) }),
  async respond({ path, search }, context) {
    const pointInTime = await pointInTimeOf(search, context);
    const found = await getPolicyDocument(context, path.policy_id, search.environment_id);
    if (pointInTime !== undefined) {
      const { policy, day } = await policyAt(context, found, pointInTime);
      return { kind: 'resource', body: termsJson(policy, day), etag: undefined };
    }
    const stored = requireReadable(found, 'policy_not_found');
    const { policy } = (parseBody(stored) as PolicyDocument).extra;
    const today = todayOf(policy, context.now);
    const etag = entityTagOf(context, 'policies', stored, lastTermChange(policy, today));
    return { kind: 'resource', body: termsJson(policy, today), etag };
  },
});

function termsJson(policy: PolicyState, day: Day): string {
  return JSON.stringify({ auto_renew: policy.autoRenew, results: termResourcesOn(policy, day) });
}
