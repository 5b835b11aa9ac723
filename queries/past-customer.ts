import { claims } from '#projections/claims/claims.ts';
import {
  claimSummary,
  type ClaimSummary,
  policySummary,
  type PolicySummary,
} from '#projections/customers/customer-resource.ts';
import { customerDetails, customers } from '#projections/customers/customers.ts';
import { policyViewOn } from '#projections/policies/policy-resource.ts';
import { countsAsActive } from '#domain/policy/cover.ts';
import { Refusal, refusalsOf } from '#domain/refusals.ts';
import type { StoredDocument } from '#stores/read-models/read-models.ts';
import { customerResource, MAX_SHOWN } from './customer-view.ts';
import { documentAt, policyAt } from './history/past-document.ts';
import type { PointInTime } from './history/point-in-time.ts';
import type { QueryContext } from './query.ts';
import { CUSTOMER_ERRORS, insuredBy } from './resources.ts';

const refuse = refusalsOf(...CUSTOMER_ERRORS);

type ReadContext = Pick<
  QueryContext,
  'reader' | 'readModels' | 'eventStore' | 'now' | 'nextTurn' | 'replay' | 'basePath'
>;

/**
 * Returns the resource of a customer at a point in time. It folds every policy and claim of the customer, so its cost
 * grows with them. For an insurer the customer does not exist before its first policy.
 * @throws {Refusal} when there was none, or it was parked
 */
export async function customerAt(
  context: ReadContext,
  stored: StoredDocument,
  pointInTime: PointInTime,
): Promise<object> {
  const purchased: PolicySummary[] = [];
  const active: PolicySummary[] = [];
  for await (const found of findAll(context, 'policies', stored.key)) {
    const past = await unlessAbsent(policyAt(context, found, pointInTime));
    if (past === undefined) continue;
    const { policy, day } = past;
    const summary = policySummary(policyViewOn(policy, day));
    purchased.push(summary);
    if (countsAsActive(policy, day)) active.push(summary);
  }
  // An insurer learns nothing from before its first policy, also not when the customer was registered.
  if (context.reader.role === 'insurer' && purchased.length === 0) throw refuse('customer_not_found');
  const details = customerDetails(await documentAt(context, customers, stored, pointInTime));
  const openClaims: ClaimSummary[] = [];
  for await (const found of findAll(context, 'claims', stored.key)) {
    const claim = await unlessAbsent(documentAt(context, claims, found, pointInTime));
    if (claim?.claim.resolvedOn === null) openClaims.push(claimSummary(claim));
  }
  const lists = { purchased: newestOf(purchased), active: newestOf(active), openClaims: newestOf(openClaims) };
  return customerResource(details, lists, context.basePath);
}

function newestOf<Summary>(all: readonly Summary[]) {
  return { count: all.length, newest: all.slice(-MAX_SHOWN) };
}

/** Yields the stored documents of a customer, oldest first. */
async function* findAll(
  { reader, readModels, nextTurn }: ReadContext,
  collection: 'policies' | 'claims',
  customerId: string,
): AsyncGenerator<StoredDocument> {
  for (let offset = 0; ; offset += MAX_SHOWN) {
    const query = { where: { customer: customerId, ...insuredBy(reader) }, limit: MAX_SHOWN, offset };
    const { documents } = await readModels.find(collection, query);
    for (const stored of documents) {
      yield stored;
      // Folding one document takes about as long as answering another request.
      await nextTurn();
    }
    if (documents.length < MAX_SHOWN) return;
  }
}

/** Returns undefined for a resource whose own view at the point in time would be 404. */
async function unlessAbsent<Document>(reading: Promise<Document>): Promise<Document | undefined> {
  try {
    return await reading;
  } catch (error) {
    const isAbsent = error instanceof Refusal && (error.code === 'not_known_yet' || error.code === 'not_in_force_yet');
    if (isAbsent) return undefined;
    throw error;
  }
}
