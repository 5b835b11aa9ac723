import type { ClaimDocument } from '#projections/claims/claims.ts';
import {
  claimSummary,
  type ClaimSummary,
  type CustomerResource,
  customerLinks,
  policySummary,
  type PolicySummary,
} from '#projections/customers/customer-resource.ts';
import { activeIndex, isActiveAt, type PolicyDocument, viewAt } from '#projections/policies/policies.ts';
import type { Instant } from '#event-sourcing/time.ts';
import type { FindQuery, StoredDocument } from '#stores/read-models/read-models.ts';
import type { QueryContext } from './query.ts';
import { insuredBy, parseBody } from './resources.ts';

/** How many policies and claims each list of a customer's resource shows. */
export const MAX_SHOWN = 100;

/** Policies or claims of a customer: how many there are, and the newest of them, oldest first. */
interface Newest<Summary> {
  readonly count: number;
  readonly newest: readonly Summary[];
}

interface CustomerLists {
  readonly purchased: Newest<PolicySummary>;
  readonly active: Newest<PolicySummary>;
  readonly openClaims: Newest<ClaimSummary>;
}

type ReadContext = Pick<QueryContext, 'reader' | 'readModels' | 'now' | 'nextTurn'>;

/** Makes the resource of a customer. @param basePath path below which the service is reached */
export function customerResource(
  details: CustomerResource,
  { purchased, active, openClaims }: CustomerLists,
  basePath: string,
): object {
  return {
    ...details,
    purchased_policies: purchased.newest,
    purchased_policies_count: purchased.count,
    active_policies: active.newest,
    active_policies_count: active.count,
    active_claims: openClaims.newest,
    active_claims_count: openClaims.count,
    links: customerLinks(details, basePath),
  };
}

/**
 * Reads the policies and claims of a customer as they are now, those that the reader may see. It reads at most some
 * hundred documents, but for gaps in cover and insurers. Only of customers with more policies than are shown, the
 * active ones are found by their indexes.
 */
export async function readCustomerLists(context: ReadContext, customerId: string): Promise<CustomerLists> {
  const insurer = insuredBy(context.reader);
  const [purchased, openClaims] = await Promise.all([
    findNewestPolicies(context, { where: { customer: customerId, ...insurer } }),
    findNewest(context, 'claims', { where: { open_customer: customerId, ...insurer } }),
  ]);
  const isWhole = purchased.newest.length === purchased.count;
  const active = isWhole ? activeAmong(purchased.newest, context.now) : await findActive(context, customerId);
  const summary = ({ document }: FoundPolicy): PolicySummary => policySummary(viewAt(document, context.now));
  return {
    purchased: { count: purchased.count, newest: purchased.newest.map(summary) },
    active: { count: active.count, newest: active.newest.map(summary) },
    openClaims: {
      count: openClaims.count,
      newest: openClaims.newest.map((stored) => claimSummary(parseBody(stored) as ClaimDocument)),
    },
  };
}

type Conditions = Omit<FindQuery, 'limit' | 'offset'>;

interface FoundPolicy {
  readonly stored: StoredDocument;
  readonly document: PolicyDocument;
}

function activeAmong(policies: readonly FoundPolicy[], now: Instant): Newest<FoundPolicy> {
  const newest = policies.filter(({ document }) => isActiveAt(document, now));
  return { count: newest.length, newest };
}

async function findNewestPolicies(context: ReadContext, conditions: Conditions): Promise<Newest<FoundPolicy>> {
  const { count, newest } = await findNewest(context, 'policies', conditions);
  return { count, newest: newest.map(foundPolicy) };
}

async function findNewest(
  { readModels }: ReadContext,
  collection: string,
  conditions: Conditions,
): Promise<Newest<StoredDocument>> {
  const query = { ...conditions, newestFirst: true, limit: MAX_SHOWN, offset: 0 };
  const { count, documents } = await readModels.find(collection, query);
  return { count, newest: documents.toReversed() };
}

/**
 * Finds the active policies. The store counts them by the indexes: of all policies whose cover has begun, those whose
 * cover is not over. Only policies that are covered again after a gap are read one by one.
 */
async function findActive(context: ReadContext, customerId: string): Promise<Newest<FoundPolicy>> {
  if (context.reader.role === 'insurer') {
    // The indexes count the policies of all insurers.
    const own = await findActiveOneByOne(context, { where: { customer: customerId, ...insuredBy(context.reader) } });
    return { count: own.length, newest: own.slice(-MAX_SHOWN) };
  }
  const [first, now] = [activeIndex(customerId, ''), activeIndex(customerId, context.now)];
  const countOf = async (index: string): Promise<number> => {
    const query = { above: { [index]: first }, atMost: { [index]: now }, limit: 0, offset: 0 };
    return (await context.readModels.find('policies', query)).count;
  };
  const [begun, over, again] = await Promise.all([
    countOf('active_from'),
    countOf('active_until'),
    findActiveOneByOne(context, { above: { active_next_from: first }, atMost: { active_next_from: now } }),
  ]);
  const current =
    begun === over
      ? []
      : (
          await findNewestPolicies(context, {
            where: { customer: customerId },
            above: { active_until: now },
            atMost: { active_from: now },
            skipCount: true,
          })
        ).newest;
  const newest = [...current, ...again].sort(byAge).slice(-MAX_SHOWN);
  // The projector may write between the reads.
  return { count: Math.max(begun - over + again.length, newest.length), newest };
}

async function findActiveOneByOne(context: ReadContext, conditions: Conditions): Promise<readonly FoundPolicy[]> {
  const active: FoundPolicy[] = [];
  for (let offset = 0; ; offset += MAX_SHOWN) {
    const { documents } = await context.readModels.find('policies', { ...conditions, limit: MAX_SHOWN, offset });
    active.push(...activeAmong(documents.map(foundPolicy), context.now).newest);
    if (documents.length < MAX_SHOWN) return active;
    await context.nextTurn();
  }
}

function foundPolicy(stored: StoredDocument): FoundPolicy {
  return { stored, document: parseBody(stored) as PolicyDocument };
}

function byAge({ stored: a }: FoundPolicy, { stored: b }: FoundPolicy): number {
  return a.order < b.order ? -1 : Number(a.order > b.order);
}
