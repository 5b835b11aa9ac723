import type { ClaimDocument } from '../projections/claims/claim-document.ts';
import { claims } from '../projections/claims/claims.ts';
import {
  claimSummary,
  type ClaimSummary,
  customerDetails,
  type PolicySummary,
} from '../projections/customers/customer-resource.ts';
import { customers } from '../projections/customers/customers.ts';
import { isActiveAt, type PolicyDocument, policies } from '../projections/policies/policies.ts';
import type { Projection } from '../projections/projection.ts';
import { Refusal } from '../src/domain/refusals.ts';
import type { Moment } from '../src/event-sourcing/time.ts';
import type { StoredDocument } from '../src/read-models/read-models.ts';
import { customerResource, MAX_SHOWN, policySummaryAt } from './customer-view.ts';
import { documentKnownAt } from './history/document-history.ts';
import type { QueryContext } from './query.ts';

/**
 * Returns the resource of a customer as it was known at a moment. It folds every policy and claim of the customer, so its cost
 * grows with them.
 * @throws {Refusal} `not_known_yet`, `document_parked`
 */
export async function customerKnownAt(context: QueryContext, stored: StoredDocument, moment: Moment): Promise<object> {
  const { document } = await documentKnownAt(context, customers, stored, moment);
  const purchased: PolicySummary[] = [];
  const active: PolicySummary[] = [];
  for await (const policy of documentsKnownAt<PolicyDocument>(context, policies, stored.key, moment)) {
    const summary = policySummaryAt(policy, moment);
    purchased.push(summary);
    if (isActiveAt(policy, moment)) active.push(summary);
  }
  const openClaims: ClaimSummary[] = [];
  for await (const claim of documentsKnownAt<ClaimDocument>(context, claims, stored.key, moment)) {
    if (claim.extra.date_resolved === null) openClaims.push(claimSummary(claim));
  }
  return customerResource(customerDetails(document), {
    purchased: newestOf(purchased),
    active: newestOf(active),
    openClaims: newestOf(openClaims),
  });
}

function newestOf<Summary>(all: readonly Summary[]) {
  return { count: all.length, newest: all.slice(-MAX_SHOWN) };
}

/** Yields the documents of a customer that were known at the moment, oldest first. */
async function* documentsKnownAt<Document>(
  context: QueryContext,
  projection: Projection<Document>,
  customerId: string,
  moment: Moment,
): AsyncGenerator<Document> {
  for (let offset = 0; ; offset += MAX_SHOWN) {
    const query = { where: { customer: customerId }, limit: MAX_SHOWN, offset };
    const { documents } = await context.readModels.find(projection.name, query);
    for (const stored of documents) {
      const known = await knownAt(context, projection, stored, moment);
      if (known !== undefined) yield known;
    }
    if (documents.length < MAX_SHOWN) return;
    await context.nextTurn();
  }
}

/** Returns undefined for a document that was not known yet. */
async function knownAt<Document>(
  context: QueryContext,
  projection: Projection<Document>,
  stored: StoredDocument,
  moment: Moment,
): Promise<Document | undefined> {
  if (stored.createdAt > moment) return undefined;
  try {
    return (await documentKnownAt(context, projection, stored, moment)).document;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_known_yet') return undefined;
    throw error;
  }
}
