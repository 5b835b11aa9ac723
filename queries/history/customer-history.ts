import { z } from 'zod';
import { eventEntries } from '#projections/event-entries/event-entries.ts';
import { customerDetails, type CustomerDocument, customers } from '#projections/customers/customers.ts';
import { categoryOf, idOf } from '#event-sourcing/aggregate.ts';
import type { StoredDocument } from '#stores/read-models/read-models.ts';
import { ActorLabels } from '../actor-labels.ts';
import { paging } from '../lists.ts';
import { customerPath } from '../parameters.ts';
import { defineQuery, type DownloadRow, type PageResponse, type QueryContext } from '../query.ts';
import { CUSTOMER_ERRORS, getCustomerDocument } from '../resources.ts';
import { replayHistory } from './document-history.ts';
import { referenceOf } from '../customer-references.ts';
import { CLAIM_SOURCE, policySource } from './histories.ts';
import {
  AS_DOWNLOAD,
  changeTracker,
  downloadRow,
  entryOf,
  HISTORY_HEADINGS,
  type HistoryEntry,
  historyEntrySchema,
  type HistorySource,
} from './history-page.ts';

const customerEntrySchema = z
  .strictObject({
    ...historyEntrySchema.shape,
    resource: z
      .string()
      .regex(/^(customers|policies|claims)\//)
      .meta({
        description:
          'The resource into which `changes` point: `customers/{id}` (without its lists), `policies/{id}` or `claims/{id}`',
      }),
  })
  .meta({ id: 'CustomerHistoryEntry' });

export const getCustomerHistory = defineQuery({
  name: 'GetCustomerHistory',
  summary: 'Lists every event of a customer, its policies and its claims, oldest first, with what each event changed.',
  description: `Every event of the customer, its policies and its claims, in the order of the log. \`changes\` are those of one resource, which \`resource\` names: the customer without its lists, a policy or a claim. Changes that result from the date alone are not included. ${AS_DOWNLOAD}`,
  errors: CUSTOMER_ERRORS,
  pathParameters: customerPath,
  search: z.strictObject(paging),
  paged: true,
  showsPaging: true,
  response: z.array(customerEntrySchema),
  async respond({ path, search }, context) {
    const { key } = await getCustomerDocument(context, path.id);
    return await context.replay(async () => await readCustomerHistoryPage(context, key, search));
  },
  download: {
    search: z.strictObject({}),
    headings: [...HISTORY_HEADINGS, 'resource'],
    rows: async ({ path }, context) =>
      rowsOf(readCustomerHistory(context, (await getCustomerDocument(context, path.id)).key)),
  },
});

async function* rowsOf(entries: AsyncIterable<CustomerEntry>): AsyncGenerator<DownloadRow> {
  for await (const entry of entries) yield downloadRow(entry, entry.resource);
}

const CUSTOMER: HistorySource<CustomerDocument> = { projection: customers, toResource: customerDetails };

type CustomerEntry = HistoryEntry & { readonly resource: string };

/**
 * Returns a page of the history of a customer. It reads the streams of the events on the page and no others.
 * @throws {StoreUnavailable}
 */
async function readCustomerHistoryPage(
  context: QueryContext,
  customer: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<PageResponse> {
  const { count, documents } = await context.readModels.find(eventEntries.name, { where: { customer }, ...page });
  return { kind: 'page', count, ...page, results: JSON.stringify(await readEntries(context, customer, documents)) };
}

const ENTRIES_PER_READ = 100;

/** Yields the whole history of a customer. @throws {StoreUnavailable} */
export async function* readCustomerHistory(context: QueryContext, customer: string): AsyncGenerator<CustomerEntry> {
  for (let last: StoredDocument | undefined; ; ) {
    const query = { where: { customer }, limit: ENTRIES_PER_READ, offset: 0, skipCount: true };
    const after = last === undefined ? query : { ...query, after: last };
    const { documents } = await context.readModels.find(eventEntries.name, after);
    yield* await readEntries(context, customer, documents);
    last = documents.at(-1);
    if (documents.length < ENTRIES_PER_READ) return;
  }
}

async function readEntries(
  context: QueryContext,
  customer: string,
  documents: readonly StoredDocument[],
): Promise<readonly CustomerEntry[]> {
  const reference = await referenceOf(context, customer);
  const byStream = Map.groupBy(documents, ({ stream }) => stream);
  const entries = new Map<string, CustomerEntry>();
  // One after another, because each holds events.
  for (const [stream, found] of byStream) {
    await context.nextTurn();
    const revisions = new Set(found.map(({ revision }) => revision));
    for await (const entry of entriesOf(context, { stream, reference }, Math.max(...revisions)))
      if (revisions.has(entry.revision)) entries.set(`${stream}@${entry.revision}`, entry);
  }
  return documents.flatMap(({ stream, revision }) => entries.get(`${stream}@${revision}`) ?? []);
}

/** @param reference that of the customer */
function entriesOf(
  context: QueryContext,
  { stream, reference }: { readonly stream: string; readonly reference: string | null },
  last: number,
): AsyncGenerator<CustomerEntry> {
  switch (categoryOf(stream)) {
    case 'policy':
      return entriesOfSource(context, policySource(reference), stream, last);
    case 'claim':
      return entriesOfSource(context, CLAIM_SOURCE, stream, last);
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
  const labels = new ActorLabels(context);
  const changesOf = changeTracker(source, labels);
  let wasParked = false;
  for await (const step of replayHistory(context, source.projection, { key, stream })) {
    const details = { changes: await changesOf(step), parksHere: step.isParked && !wasParked, labels };
    yield { ...entryOf(context.reader, step, details), resource };
    wasParked = step.isParked;
    if (step.event.revision === last) return;
  }
}
