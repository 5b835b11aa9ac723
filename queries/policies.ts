import { z } from 'zod';
import { insurerIndex, ownedValue } from '#projections/owner.ts';
import { type PolicyDocument, viewAt } from '#projections/policies/policies.ts';
import { policySchema, policyViewOn, termResourcesOn, termSchema } from '#projections/policies/policy-resource.ts';
import {
  COVER_STATES,
  coverOn,
  type CoverState,
  isInForce,
  lastViewChange,
  POLICY_STATUSES,
  type PolicyStatus,
  statusOn,
  todayOf,
} from '#domain/policy/cover.ts';
import type { PolicyState } from '#domain/policy/policy.ts';
import { modeOf } from '#domain/values/mode.ts';
import { day, type Day, type Instant } from '#event-sourcing/time.ts';
import type { DocumentView, IndexValue, StoredDocument, View } from '#stores/read-models/read-models.ts';
import {
  type CursorList,
  cursorPaging,
  type IndexRange,
  ownedRange,
  ownerOfList,
  readCursorPage,
  requireOrder,
  LARGE_READ_SIZE,
} from './cursor-lists.ts';
import { POINT_IN_TIME_ERRORS, policyAt } from './history/past-document.ts';
import { describePointInTime, pointInTimeOf, pointInTimeSearch } from './history/point-in-time.ts';
import { customerOf, customerWithReference, referenceOf, referencesOf, withReference } from './customer-references.ts';
import { describeList, downloadOf } from './list-downloads.ts';
import { findPage, jsonArray, linkedPaging, type ListQuery, testModeOf, testModeSearch } from './lists.ts';
import {
  customerPath,
  environmentChoice,
  idFilter,
  merchantPath,
  policyPath,
  productTypeChoice,
  textFilter,
} from './parameters.ts';
import { defineQuery, EVERY_ROLE, type PageResponse, type QueryContext, type ResourceResponse } from './query.ts';
import {
  CUSTOMER_ERRORS,
  entityTagOf,
  getCustomerDocument,
  getPolicyDocument,
  getPolicyView,
  hashOf,
  insuredBy,
  MERCHANT_ERRORS,
  parseBody,
  POLICY_ERRORS,
  requireReadable,
  requireView,
} from './resources.ts';

export const getPolicy = defineQuery({
  name: 'GetPolicy',
  roles: EVERY_ROLE,
  summary: 'Reads one policy by its id or its number, as it is, as of a day or as it was known at an instant.',
  description: `Dates, premium and coverage are those of the term of the day, in the time zone of the environment: of the begun term that contains it, in a gap of the last that has begun, before the first begins of the first. \`GET …/terms/\` has all of them. \`renewal_date\` is the first instant after the last agreed term, null when the policy cannot be renewed. A cancellation changes no term: the term that it cuts short keeps its days and its premium, and the transactions have what is returned. A cancellation for a later day shows in \`cancellation_date\` at once (with \`as_of\` only from that day on); status and cover stay until that day is over. On the last day of cover the status is \`cancelled\` if the cancellation was made on this day or later, else \`active\`. The \`ETag\` also contains the last day on which the calendar alone changed the view after the last event, and a hash of the reference.

${describePointInTime('policy')} As of a day, terms that begin later are left out with the events about them, \`renewal_date\` follows from the terms that are left, and the policy is \`active\` from the day on which cover begins, also before its activation is recorded.`,
  errors: [...POLICY_ERRORS, ...POINT_IN_TIME_ERRORS],
  pathParameters: policyPath,
  search: z.strictObject({ ...environmentChoice, ...pointInTimeSearch }),
  response: policySchema,
  async respond({ path, search }, context) {
    const pointInTime = await pointInTimeOf(search, context);
    const stored = await getPolicyView(context, path.policy_id, search.environment_id);
    if (pointInTime !== undefined) {
      const { policy, day } = await policyAt(context, stored, pointInTime);
      const reference = await referenceOf(context, customerOf(stored));
      const body = withReference(JSON.stringify(policyViewOn(policy, day)), reference);
      return { kind: 'resource', body, etag: undefined };
    }
    const view = requireView(stored, 'policy_not_found');
    const reference = await referenceOf(context, customerOf(stored));
    if (isShown(view, context.now)) return shownResponse(context, stored, view, reference);
    // The calendar has changed the view since the last event.
    const now = await getPolicyDocument(context, stored.key, search.environment_id);
    const { policy } = parseBody(requireReadable(now, 'policy_not_found')) as PolicyDocument;
    const today = todayOf(policy, context.now);
    const body = withReference(JSON.stringify(policyViewOn(policy, today)), reference);
    return { kind: 'resource', body, etag: tagOf(context, now, lastViewChange(policy, today), reference) };
  },
});

/**
 * Responses that show the stored views, because single reads are hot: a store may return the same document until it
 * changes.
 */
const responses = new WeakMap<
  DocumentView,
  { readonly reference: string | null; readonly response: ResourceResponse }
>();

function shownResponse(
  context: QueryContext,
  stored: DocumentView,
  { json }: View,
  reference: string | null,
): ResourceResponse {
  const known = responses.get(stored);
  if (known?.reference === reference) return known.response;
  const etag = tagOf(context, stored, null, reference);
  const response = { kind: 'resource', body: withReference(json, reference), etag } as const;
  responses.set(stored, { reference, response });
  return response;
}

/** @param changedOn day on which the calendar alone changed the view after the last event */
function tagOf(
  context: QueryContext,
  stored: Pick<StoredDocument, 'revision'>,
  changedOn: Day | null,
  reference: string | null,
): string {
  const more = [changedOn, reference === null ? null : hashOf(reference)].filter((part) => part !== null);
  return entityTagOf(context, 'policies', stored, more.length === 0 ? null : more.join('.'));
}

/** Returns whether the stored view is that of an instant. */
function isShown({ until }: View, now: Instant): boolean {
  return until === null || now < until;
}

/** Returns the JSON text of the view of a policy at an instant. */
export function policyJsonAt(stored: Pick<StoredDocument, 'key' | 'body' | 'view'>, now: Instant): string {
  const { view } = stored;
  if (view !== undefined && isShown(view, now)) return view.json;
  return JSON.stringify(viewAt(parseBody(stored) as PolicyDocument, now));
}

/** Returns the JSON texts of the resources of policies. */
async function policyItems(context: QueryContext, documents: readonly StoredDocument[]): Promise<readonly string[]> {
  const references = await referencesOf(context, documents.map(customerOf));
  return documents.map((stored) =>
    withReference(policyJsonAt(stored, context.now), references.get(customerOf(stored)) ?? null),
  );
}

async function readPolicyPage(context: QueryContext, query: ListQuery): Promise<PageResponse> {
  const { limit, offset } = query;
  const { documents, ...page } = await findPage(context, 'policies', query);
  return { kind: 'page', ...page, limit, offset, results: jsonArray(await policyItems(context, documents)) };
}

export const listPolicies = defineQuery({
  name: 'ListPolicies',
  summary: 'Lists all purchased policies of all merchants.',
  description:
    'All policies of all merchants, for an insurer those that it insures: live policies, or test policies with `test_mode=true`. Merchants have a list of their own.',
  errors: [],
  roles: ['insurer', 'claims', 'admin', 'auditor'],
  search: z.strictObject({
    ...linkedPaging,
    ...testModeSearch,
    cover: z.enum(['waiting'], 'must be waiting').optional().meta({
      description: 'Only policies that wait for their activation; the list of a merchant takes every `cover`',
    }),
  }),
  paged: true,
  response: z.array(policySchema),
  async respond({ search: { cover, ...search } }, context) {
    const testMode = testModeOf(context.reader, search);
    const { reader } = context;
    const where =
      reader.role === 'insurer' ? { insurer: insurerIndex(reader.providerId, testMode) } : { test_mode: testMode };
    const waiting = cover === undefined ? {} : { waiting: modeOf(testMode) };
    return await readPolicyPage(context, { ...search, where: { ...where, ...waiting } });
  },
});

export const listCustomerPolicies = defineQuery({
  name: 'ListCustomerPolicies',
  roles: EVERY_ROLE,
  summary: 'Lists all policies of a customer, oldest first.',
  description: 'All policies of the customer, oldest first, each as its own view.',
  errors: CUSTOMER_ERRORS,
  pathParameters: customerPath,
  search: z.strictObject(linkedPaging),
  paged: true,
  response: z.array(policySchema),
  async respond({ path, search }, context) {
    const { key: customer } = await getCustomerDocument(context, path.id);
    return await readPolicyPage(context, { ...search, where: { customer, ...insuredBy(context.reader) } });
  },
});

const filters = {
  policy_number: textFilter.meta({ description: 'Only the policy of this number' }),
  status: z
    .enum(POLICY_STATUSES, `must be one of: ${POLICY_STATUSES.join(', ')}`)
    .optional()
    .meta({ description: 'Only policies of this status' }),
  cover: z
    .enum(COVER_STATES, `must be one of: ${COVER_STATES.join(', ')}`)
    .optional()
    .meta({ description: 'Only policies with this `cover` today, each in its time zone' }),
  product_type: productTypeChoice.meta({ description: 'Only policies of this product type' }),
  customer_id: idFilter.meta({ description: 'Only policies of this customer' }),
  customer_reference: textFilter.meta({ description: 'Only policies of the customer with this reference' }),
  in_force_on: day.optional().meta({ description: 'Only policies in force on this day, each in its time zone' }),
  renewal_from: day.optional().meta({
    description:
      'Only policies whose `renewal_date` is on this day or later, in their time zone; with it or `renewal_through` the list is ordered by renewal date, first the earliest',
  }),
  renewal_through: day.optional().meta({
    description:
      'Only policies whose `renewal_date` is on this day or earlier, in their time zone; without `renewal_from` also those that ran out long ago',
  }),
};
type Filters = z.output<z.ZodObject<typeof filters>>;
const merchantFilters = z.strictObject({ ...testModeSearch, ...filters });

type MerchantFilters = z.output<typeof merchantFilters>;

export const listMerchantPolicies = defineQuery({
  name: 'ListMerchantPolicies',
  summary: 'Lists the policies of a merchant, newest first, or by renewal date.',
  description: describeList(
    'policies',
    '`in_force_on` asks for policies in force on that day: a begun term contains the day, cover has begun by then, and the policy was not cancelled on an earlier day. `cover` asks for policies with this cover today. With `renewal_from` or `renewal_through` the list is ordered by renewal date, first the earliest; a policy that is renewed during the walk moves to its new date.',
  ),
  errors: MERCHANT_ERRORS,
  example: { search: { product_type: 'Auto', status: 'active' } },
  pathParameters: merchantPath,
  search: merchantFilters.extend(cursorPaging),
  paged: true,
  byCursor: true,
  response: z.array(policySchema),
  async respond({ path, search: { limit, after, ...given } }, context) {
    return await readCursorPage(context, await policiesOfMerchant(context, path, given), { limit, after });
  },
  download: downloadOf(merchantFilters, policySchema, policiesOfMerchant),
});

/** @throws {Refusal} as `ownerOfList` and `renewalRange` */
async function policiesOfMerchant(
  context: QueryContext,
  { short_code }: z.output<typeof merchantPath>,
  { test_mode, ...given }: MerchantFilters,
): Promise<CursorList> {
  const owner = await ownerOfList(context, short_code, { test_mode });
  const customer = await customerOfFilters(context, owner, given);
  const conditions = { ...given, customer_id: customer ?? undefined };
  return {
    list: 'ListMerchantPolicies',
    owner,
    filters: given,
    collection: 'policies',
    readSize: LARGE_READ_SIZE,
    isEmpty: customer === null,
    ...selectionOf(owner, conditions),
    filter: (documents) => documents.filter((stored) => matches(owner, conditions, stored, context.now)),
    items: async (documents) => await policyItems(context, documents),
  };
}

/**
 * Returns the customer whose policies are wanted; undefined for those of all, null where no customer has both the id
 * and the reference.
 */
async function customerOfFilters(
  context: QueryContext,
  owner: string,
  { customer_id: id, customer_reference: reference }: Filters,
): Promise<string | undefined | null> {
  if (reference === undefined) return id;
  const customer = await customerWithReference(context, owner, reference);
  return customer === undefined || (id !== undefined && id !== customer) ? null : customer;
}

/** Returns what the store selects and in which order. @throws {Refusal} as `renewalRange` */
function selectionOf(owner: string, filters: Filters) {
  const range = renewalRange(owner, filters);
  // A number finds one policy, which is in any order.
  return range === undefined || filters.policy_number !== undefined
    ? { where: indexConditions(owner, filters) }
    : { range };
}

/** Returns the range of renewal dates; undefined without a bound. @throws {Refusal} for days in the wrong order */
function renewalRange(
  owner: string,
  { renewal_from: from, renewal_through: through }: Filters,
): IndexRange | undefined {
  requireOrder({ from, through }, 'renewal_');
  return from === undefined && through === undefined
    ? undefined
    : ownedRange('owner_renewal', owner, { from, through });
}

/** The status that the index has of every policy with this cover; where policies differ, none. */
const STATUS_OF_COVER: { readonly [State in CoverState]?: PolicyStatus } = {
  waiting: 'accepted',
  cancelled: 'cancelled',
};

/**
 * Returns the conditions of the index that is expected to find the fewest policies. The status `active` is no
 * condition: nearly all policies are active, and the index has a policy as cancelled as soon as its end is recorded,
 * while it is still active.
 */
function indexConditions(
  owner: string,
  { policy_number: number, customer_id: customer, status: given, cover, product_type }: Filters,
): Readonly<Record<string, IndexValue>> {
  if (number !== undefined) return { number, owner };
  if (customer !== undefined) return { customer, owner };
  const status = given ?? (cover === undefined ? undefined : STATUS_OF_COVER[cover]);
  if (status !== undefined && status !== 'active') return { owner_status: ownedValue(owner, status) };
  return product_type === undefined ? { owner } : { owner_type: ownedValue(owner, product_type) };
}

function matches(owner: string, filters: Filters, stored: StoredDocument, now: Instant): boolean {
  const { policy_number, customer_id, status, cover, product_type, in_force_on } = filters;
  const { number, customer, owner_type, owner_renewal } = stored.indexes;
  const range = renewalRange(owner, filters);
  return (
    (policy_number === undefined || number === policy_number) &&
    (customer_id === undefined || customer === customer_id) &&
    (status === undefined || statusAt(owner, stored, now) === status) &&
    (cover === undefined || coverAt(stored, now) === cover) &&
    (product_type === undefined || owner_type === ownedValue(owner, product_type)) &&
    (in_force_on === undefined || isInForceOn(stored, in_force_on)) &&
    (range === undefined || isInRange(owner_renewal, owner, range))
  );
}

function isInRange(value: IndexValue | undefined, owner: string, { from, through }: IndexRange): boolean {
  return typeof value === 'string' && value >= ownedValue(owner, from) && value <= ownedValue(owner, through);
}

/** Only the status of a policy whose end is recorded depends on the day. */
function statusAt(owner: string, stored: StoredDocument, now: Instant): string | undefined {
  const settled = POLICY_STATUSES.find((status) => stored.indexes.owner_status === ownedValue(owner, status));
  if (settled !== 'cancelled') return settled;
  const { policy } = parseBody(stored) as PolicyDocument;
  return statusOn(policy, todayOf(policy, now));
}

function coverAt(stored: StoredDocument, now: Instant): CoverState {
  const { policy } = parseBody(stored) as PolicyDocument;
  return coverOn(policy, todayOf(policy, now));
}

function isInForceOn(stored: StoredDocument, day: Day): boolean {
  return isInForce((parseBody(stored) as PolicyDocument).policy, day);
}

export const listPolicyTerms = defineQuery({
  name: 'ListPolicyTerms',
  roles: EVERY_ROLE,
  summary:
    'Lists every term of a policy, by its first day: past, in force, upcoming, withdrawn or cancelled; as it is, as of a day or as it was known at an instant.',
  description:
    'The response is not paged. `state` is that of the day, in the time zone of the environment: `upcoming` also while the policy waits for activation; `cancelled` when the policy ended before the first day. A cancellation changes no term: the one that it cuts short keeps its days and amounts and is `past` from the day after `effective_on`; the transactions have what is returned. `as_of` and `known_at` give the terms of a day or as they were known at an instant.',
  errors: [...POLICY_ERRORS, ...POINT_IN_TIME_ERRORS],
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
    const { policy } = parseBody(stored) as PolicyDocument;
    const today = todayOf(policy, context.now);
    const etag = entityTagOf(context, 'policies', stored, lastViewChange(policy, today));
    return { kind: 'resource', body: termsJson(policy, today), etag };
  },
});

function termsJson(policy: PolicyState, day: Day): string {
  return JSON.stringify({ auto_renew: policy.autoRenew, results: termResourcesOn(policy, day) });
}
