import { compareTexts } from '../src/event-sourcing/identifiers.ts';
import type { ClaimDocument } from '../projections/claims/claim-document.ts';
import {
  claimSummary,
  type ClaimSummary,
  type CustomerDetails,
  customerLinks,
  policySummary,
  type PolicySummary,
} from '../projections/customers/customer-resource.ts';
import { activeIndex, isActiveAt, type PolicyDocument, resourceAt } from '../projections/policies/policies.ts';
import type { Moment } from '../src/event-sourcing/time.ts';
import type { FindQuery, StoredDocument } from '../src/read-models/read-models.ts';
import type { QueryContext } from './query.ts';
import { parseBody } from './stored-documents.ts';

/** How many policies and claims each list of a customer's resource shows. */
export const MAX_SHOWN = 100;

/** Policies or claims of a customer: how many there are, and the newest of them, oldest first. */
interface Newest<Summary> {
  readonly count: number;
  readonly newest: readonly Summary[];
}

/** The policies and claims that the resource of a customer shows. */
export interface CustomerLists {
  readonly purchased: Newest<PolicySummary>;
  readonly active: Newest<PolicySummary>;
  readonly openClaims: Newest<ClaimSummary>;
}

type ReadContext = Pick<QueryContext, 'readModels' | 'now' | 'nextTurn'>;

/** Returns the resource of a customer. */
export function customerResource(details: CustomerDetails, { purchased, active, openClaims }: CustomerLists): object {
  return {
    ...details,
    purchased_policies: purchased.newest,
    purchased_policies_count: purchased.count,
    active_policies: active.newest,
    active_policies_count: active.count,
    active_claims: openClaims.newest,
    active_claims_count: openClaims.count,
    links: customerLinks(details),
  };
}

/** Reads the policies and claims of a customer as they are now. It reads at most some hundred documents, but for gaps in cover. */
export async function readCustomerLists(context: ReadContext, customerId: string): Promise<CustomerLists> {
  const [purchased, active, openClaims] = await Promise.all([
    findNewest(context, 'policies', { where: { customer: customerId } }),
    findActive(context, customerId),
    findNewest(context, 'claims', { where: { open_customer: customerId } }),
  ]);
  const summary = (stored: StoredDocument) => policySummaryAt(policyOf(stored), context.now);
  return {
    purchased: { count: purchased.count, newest: purchased.newest.map(summary) },
    active: { count: active.count, newest: active.newest.map(summary) },
    openClaims: {
      count: openClaims.count,
      newest: openClaims.newest.map((stored) => claimSummary(parseBody(stored) as ClaimDocument)),
    },
  };
}

/** Returns the summary of a policy at a moment, on the day in its zone. */
export function policySummaryAt(document: PolicyDocument, now: Moment): PolicySummary {
  return policySummary(resourceAt(document, now));
}

type Conditions = Omit<FindQuery, 'limit' | 'offset'>;

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
 * Finds the active policies. The store counts them by the indexes: of all policies whose cover has begun, those whose cover is
 * not over. Only policies that are covered again after a gap are read one by one.
 */
async function findActive(context: ReadContext, customerId: string): Promise<Newest<StoredDocument>> {
  const [first, now] = [activeIndex(customerId, ''), activeIndex(customerId, context.now)];
  const countOf = async (index: string): Promise<number> => {
    const query = { above: { [index]: first }, atMost: { [index]: now }, limit: 0, offset: 0 };
    return (await context.readModels.find('policies', query)).count;
  };
  const [begun, over, again] = await Promise.all([
    countOf('active_from'),
    countOf('active_until'),
    findActiveAfterGap(context, { above: { active_next_from: first }, atMost: { active_next_from: now } }),
  ]);
  const current =
    begun === over
      ? []
      : (
          await findNewest(context, 'policies', {
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

/** Returns the policies that are active after a gap in their cover. */
async function findActiveAfterGap(context: ReadContext, conditions: Conditions): Promise<readonly StoredDocument[]> {
  const active: StoredDocument[] = [];
  for (let offset = 0; ; offset += MAX_SHOWN) {
    const { documents } = await context.readModels.find('policies', { ...conditions, limit: MAX_SHOWN, offset });
    active.push(...documents.filter((stored) => isActiveAt(policyOf(stored), context.now)));
    if (documents.length < MAX_SHOWN) return active;
    await context.nextTurn();
  }
}

function policyOf(stored: StoredDocument): PolicyDocument {
  return parseBody(stored) as PolicyDocument;
}

function byAge(a: StoredDocument, b: StoredDocument): number {
  return compareTexts(a.createdAt, b.createdAt) || compareTexts(a.key, b.key);
}
