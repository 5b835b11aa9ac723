import type { ClaimDocument } from '../../projections/claims/claim-document.ts';
import { claims } from '../../projections/claims/claims.ts';
import type { CustomerHistoryEntry } from '../../projections/customers/customer-history.ts';
import { customerDetails } from '../../projections/customers/customer-resource.ts';
import { type CustomerDocument, customers } from '../../projections/customers/customers.ts';
import { type PolicyDocument, policies } from '../../projections/policies/policies.ts';
import { categoryOf, idOf } from '../../src/event-sourcing/aggregate.ts';
import { jsonArray } from '../lists.ts';
import type { PageAnswer, QueryContext } from '../query.ts';
import { parseBody } from '../stored-documents.ts';
import { replayHistory } from './document-history.ts';
import { policyResourceAt } from './get-policy-history.ts';
import { changeTracker, entryOf, type HistorySource } from './history-page.ts';

type EntriesByRevision = AsyncGenerator<readonly [revision: number, entry: string]>;
type Source<Document> = Omit<HistorySource<Document>, 'ownStream'>;

const CUSTOMER: Source<CustomerDocument> = { projection: customers, toResource: customerDetails };
const POLICY: Source<PolicyDocument> = { projection: policies, toResource: policyResourceAt };
const CLAIM: Source<ClaimDocument> = { projection: claims, toResource: ({ view }) => view };

/**
 * Returns a page of the history of a customer. It reads the streams of the events on the page and no others.
 * @throws {StoreUnavailable}
 */
export async function readCustomerHistoryPage(
  context: QueryContext,
  customer: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<PageAnswer> {
  const { count, documents } = await context.readModels.find('customer_history', {
    where: { customer },
    limit,
    offset,
  });
  const places = documents.map((stored) => parseBody(stored) as CustomerHistoryEntry);
  const byStream = Map.groupBy(places, ({ stream }) => stream);
  const entries = new Map<string, string>();
  const readStream = async (stream: string, revisions: readonly number[]): Promise<void> => {
    for await (const [revision, entry] of entriesOf(context, stream, Math.max(...revisions)))
      if (revisions.includes(revision)) entries.set(`${stream}@${revision}`, entry);
  };
  await Promise.all(
    [...byStream].map(([stream, found]) =>
      readStream(
        stream,
        found.map(({ revision }) => revision),
      ),
    ),
  );
  const results = places.flatMap(({ stream, revision }) => entries.get(`${stream}@${revision}`) ?? []);
  return { kind: 'page', count, limit, offset, results: jsonArray(results) };
}

/** Yields the JSON text of the entry of each event of a stream up to a revision. */
function entriesOf(context: QueryContext, stream: string, last: number): EntriesByRevision {
  switch (categoryOf(stream)) {
    case 'policy':
      return entriesOfSource(context, POLICY, stream, last);
    case 'claim':
      return entriesOfSource(context, CLAIM, stream, last);
    default:
      return entriesOfSource(context, CUSTOMER, stream, last);
  }
}

async function* entriesOfSource<Document>(
  context: QueryContext,
  source: Source<Document>,
  stream: string,
  last: number,
): EntriesByRevision {
  const key = idOf(stream);
  const resource = `${source.projection.name}/${key}`;
  const changesOf = changeTracker(source);
  let wasParked = false;
  for await (const step of replayHistory(context, source.projection, { key, streams: { [stream]: last } })) {
    const entry = { ...entryOf(step, changesOf(step), step.isParked && !wasParked), resource };
    yield [step.event.revision, JSON.stringify(entry)];
    wasParked = step.isParked;
    if (step.event.revision === last) return;
  }
}
