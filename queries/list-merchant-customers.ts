import { z } from 'zod';
import { customerItemSchema, customerLinks } from '../projections/customers/customer-resource.ts';
import { customerDetails, type CustomerDocument } from '../projections/customers/customers.ts';
import { ownedValue } from '../projections/owner.ts';
import { normalise } from '../src/event-sourcing/identifiers.ts';
import type { StoredDocument } from '../src/read-models/read-models.ts';
import { merchantListSearch, ownerOfList, readCursorPage } from './cursor-lists.ts';
import { defineQuery } from './query.ts';
import { parseBody } from './stored-documents.ts';
import { merchantPath } from './parameters.ts';

export const listMerchantCustomers = defineQuery({
  name: 'ListMerchantCustomers',
  summary: 'Lists the customers of a merchant, newest first.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: merchantPath,
  search: z.strictObject({
    ...merchantListSearch,
    email: z
      .email('must be an e-mail address')
      .transform(normalise)
      .optional()
      .meta({ description: 'Only the customer with this e-mail address, compared without case' }),
  }),
  paged: true,
  byCursor: true,
  response: z.array(customerItemSchema),
  async respond({ path, search: { limit, after, email, test_mode } }, context) {
    const owner = await ownerOfList(context, path.short_code, { test_mode });
    const list = {
      list: 'ListMerchantCustomers',
      owner,
      filters: { email },
      collection: 'customers',
      where: email === undefined ? { owner } : { owner_email: ownedValue(owner, email) },
      matches: () => true,
      item: toItem,
    };
    return await readCursorPage(context, list, { limit, after });
  },
});

function toItem(stored: StoredDocument): string {
  const details = customerDetails(parseBody(stored) as CustomerDocument);
  return JSON.stringify({ ...details, links: customerLinks(details) });
}
