import { type ClaimDocument, claims } from '../../projections/claims/claims.ts';
import {
  customerHistory,
  type CustomerHistoryEntry as StoredEntry,
} from '../../projections/customers/customer-history.ts';
import { customerDetails, type CustomerDocument, customers } from '../../projections/customers/customers.ts';
import { type PolicyDocument, policies } from '../../projections/policies/policies.ts';
import { categoryOf, idOf } from '../../src/event-sourcing/aggregate.ts';
import type { StoredDocument } from '../../src/read-models/read-models.ts';
import type { PageResponse, QueryContext } from '../query.ts';
import { parseBody } from '../stored-documents.ts';
import { replayHistory } from './document-history.ts';
import { policyResourceAt } from './histories.ts';
import { changeTracker, entryOf, type HistoryEntry, type HistorySource } from './history-page.ts';

const CUSTOMER: HistorySource<CustomerDocument> = { projection: customers, toResource: customerDetails };
const POLICY: HistorySource<PolicyDocument> = { projection: policies, toResource: policyResourceAt };
const CLAIM: HistorySource<ClaimDocument> = { projection: claims, toResource: ({ view }) => view };

/** An entry, and the resource into which its `changes` point. */
export type CustomerEntry = HistoryEntry & { readonly resource: string };

/**
 * Returns a page of the history of a customer. It reads the streams of the events on the page and no others.
 * @throws {StoreUnavailable}
 */
export async function readCustomerHistoryPage(
  context: QueryContext,
  customer: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<PageResponse> {
  const { count, documents } = await context.readModels.find(customerHistory.name, { where: { customer }, ...page });
  return { kind: 'page', count, ...page, results: JSON.stringify(await readEntries(context, documents)) };
}

/** Entries that a download reads at a time. */
const ENTRIES_PER_READ = 100;

/** Yields the whole history of a customer. @throws {StoreUnavailable} */
export async function* readCustomerHistory(context: QueryContext, customer: string): AsyncGenerator<CustomerEntry> {
  for (let last: StoredDocument | undefined; ; ) {
    const query = { where: { customer }, limit: ENTRIES_PER_READ, offset: 0, skipCount: true };
    const after = last === undefined ? query : { ...query, after: last };
    const { documents } = await context.readModels.find(customerHistory.name, after);
    yield* await readEntries(context, documents);
    last = documents.at(-1);
    if (documents.length < ENTRIES_PER_READ) return;
  }
}

async function readEntries(
  context: QueryContext,
  documents: readonly StoredDocument[],
): Promise<readonly CustomerEntry[]> {
  const places = documents.map((stored) => parseBody(stored) as StoredEntry);
  const byStream = Map.groupBy(places, ({ stream }) => stream);
  const entries = new Map<string, CustomerEntry>();
  const readStream = async (stream: string, revisions: ReadonlySet<number>): Promise<void> => {
    await context.nextTurn();
    for await (const entry of entriesOf(context, stream, Math.max(...revisions)))
      if (revisions.has(entry.revision)) entries.set(`${stream}@${entry.revision}`, entry);
  };
  await Promise.all(
    [...byStream].map(([stream, found]) => readStream(stream, new Set(found.map(({ revision }) => revision)))),
  );
  return places.flatMap(({ stream, revision }) => entries.get(`${stream}@${revision}`) ?? []);
}

/** Yields the entry of each event of a stream up to a revision. */
function entriesOf(context: QueryContext, stream: string, last: number): AsyncGenerator<CustomerEntry> {
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
  source: HistorySource<Document>,
  stream: string,
  last: number,
): AsyncGenerator<CustomerEntry> {
  const key = idOf(stream);
  const resource = `${source.projection.name}/${key}`;
  const changesOf = changeTracker(source);
  let wasParked = false;
  for await (const step of replayHistory(context, source.projection, { key, stream })) {
    yield { ...entryOf(step, changesOf(step), step.isParked && !wasParked), resource };
    wasParked = step.isParked;
    if (step.event.revision === last) return;
  }
}
