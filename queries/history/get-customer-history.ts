import { z } from 'zod';
import { paging } from '../lists.ts';
import { defineQuery, type DownloadRow } from '../query.ts';
import { getCustomerDocument } from '../resources.ts';
import { customerPath } from '../parameters.ts';
import { type CustomerEntry, readCustomerHistory, readCustomerHistoryPage } from './customer-history-page.ts';
import { downloadRow, HISTORY_HEADINGS } from './history-download.ts';
import { historyEntrySchema } from './history-page.ts';

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
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: customerPath,
  search: z.strictObject(paging),
  paged: true,
  showsPaging: true,
  response: z.array(customerEntrySchema),
  async respond({ path, search }, context) {
    const { key } = await getCustomerDocument(context, path.id);
    return await readCustomerHistoryPage(context, key, search);
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
