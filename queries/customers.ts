import { z } from 'zod';
import { customerItemSchema, customerLinks, customerSchema } from '#projections/customers/customer-resource.ts';
import { customerDetails, type CustomerDocument } from '#projections/customers/customers.ts';
import { ownedValue } from '#projections/owner.ts';
import { emailAddress } from '#domain/values/email.ts';
import { normalise } from '#event-sourcing/identifiers.ts';
import type { StoredDocument } from '#stores/read-models/read-models.ts';
import { type CursorList, cursorPaging, ownerOfList, readCursorPage } from './cursor-lists.ts';
import { customerResource, readCustomerLists } from './customer-view.ts';
import { pointInTimeOf, pointInTimeSearch } from './history/point-in-time.ts';
import { downloadOf } from './list-downloads.ts';
import { testModeSearch } from './lists.ts';
import { customerPath, merchantPath, textFilter } from './parameters.ts';
import { customerAt } from './past-customer.ts';
import { defineQuery, type QueryContext } from './query.ts';
import { entityTagOf, getCustomerDocument, hashOf, parseBody, requireReadable } from './resources.ts';

export const getCustomer = defineQuery({
  name: 'GetCustomer',
  summary:
    'Reads one customer with its newest policies, those that are active on the day, and the open claims, as it is, as of a day or as it was known at an instant.',
  pathParameters: customerPath,
  search: z.strictObject(pointInTimeSearch),
  response: customerSchema,
  async respond({ path, search }, context) {
    const pointInTime = await pointInTimeOf(search, context);
    const stored = await getCustomerDocument(context, path.id);
    if (pointInTime !== undefined) {
      const resource = await customerAt(context, stored, pointInTime);
      return { kind: 'resource', body: JSON.stringify(resource), etag: undefined };
    }
    const document = parseBody(requireReadable(stored, 'customer_not_found')) as CustomerDocument;
    const lists = await readCustomerLists(context, stored.key);
    const resource = customerResource(customerDetails(document), lists, context.basePath);
    const body = JSON.stringify(resource);
    const etag = entityTagOf(context, 'customers', stored, hashOf(body));
    return { kind: 'resource', body, etag };
  },
});

const filters = z.strictObject({
  ...testModeSearch,
  email: emailAddress
    .transform(normalise)
    .optional()
    .meta({ description: 'Only customers with this e-mail address, compared without case' }),
  customer_reference: textFilter.meta({ description: 'Only the customer with this reference' }),
});

export const listMerchantCustomers = defineQuery({
  name: 'ListMerchantCustomers',
  summary: 'Lists the customers of a merchant, newest first.',
  pathParameters: merchantPath,
  search: filters.extend(cursorPaging),
  paged: true,
  byCursor: true,
  response: z.array(customerItemSchema),
  async respond({ path, search: { limit, after, ...given } }, context) {
    return await readCursorPage(context, await customersOfMerchant(context, path, given), { limit, after });
  },
  download: downloadOf(filters, customerItemSchema, customersOfMerchant),
});

/** @throws {Refusal} as `ownerOfList` */
async function customersOfMerchant(
  context: QueryContext,
  { short_code }: z.output<typeof merchantPath>,
  { email, customer_reference, test_mode }: z.output<typeof filters>,
): Promise<CursorList> {
  const owner = await ownerOfList(context, short_code, { test_mode });
  return {
    list: 'ListMerchantCustomers',
    owner,
    filters: { email, customer_reference },
    collection: 'customers',
    where: {
      ...(email === undefined ? { owner } : { owner_email: ownedValue(owner, email) }),
      ...(customer_reference === undefined ? {} : { owner_reference: ownedValue(owner, customer_reference) }),
    },
    items: (documents) => documents.map((stored) => toItem(stored, context.basePath)),
  };
}

function toItem(stored: StoredDocument, basePath: string): string {
  const details = customerDetails(parseBody(stored) as CustomerDocument);
  return JSON.stringify({ ...details, links: customerLinks(details, basePath) });
}
