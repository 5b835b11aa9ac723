import { z } from 'zod';
import { customerItemSchema, customerLinks, customerSchema } from '#projections/customers/customer-resource.ts';
import { customerDetails, type CustomerDocument } from '#projections/customers/customers.ts';
import { ownedValue } from '#projections/owner.ts';
import { emailAddress } from '#domain/values/email.ts';
import { normalise } from '#event-sourcing/identifiers.ts';
import type { StoredDocument } from '#stores/read-models/read-models.ts';
import { type CursorList, cursorPaging, ownerOfList, readCursorPage } from './cursor-lists.ts';
import { customerResource, readCustomerLists } from './customer-view.ts';
import { describePointInTime, pointInTimeOf, pointInTimeSearch } from './history/point-in-time.ts';
import { describeList, downloadOf } from './list-downloads.ts';
import { testModeSearch } from './lists.ts';
import { POINT_IN_TIME_ERRORS } from './history/past-document.ts';
import { customerPath, merchantPath, textFilter } from './parameters.ts';
import { customerAt } from './past-customer.ts';
import { defineQuery, EVERY_ROLE, type QueryContext } from './query.ts';
import {
  CUSTOMER_ERRORS,
  entityTagOf,
  getCustomerDocument,
  hashOf,
  MERCHANT_ERRORS,
  parseBody,
  requireReadable,
} from './resources.ts';

export const getCustomer = defineQuery({
  name: 'GetCustomer',
  roles: EVERY_ROLE,
  summary:
    'Reads one customer with its newest policies, those that are active on the day, and the open claims, as it is, as of a day or as it was known at an instant.',
  description: `Three lists show the newest 100 each, oldest first, with the number of all beside them (\`…_count\`): \`purchased_policies\`; \`active_policies\`, in force today in the zone of each and not cancelled; \`active_claims\`, neither paid, denied nor withdrawn. \`links\` lead to the whole lists. Policies show the term of the day, as their own view does; the \`ETag\` may change with the day.

${describePointInTime('customer')} Policies and claims appear as in their own views with the same parameters; those whose view would be 404 are left out. Such a response takes longer for a customer of many policies.`,
  errors: [...CUSTOMER_ERRORS, ...POINT_IN_TIME_ERRORS],
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
  description: describeList('customers', 'An item has no lists of policies and claims; `links` lead to them.'),
  errors: MERCHANT_ERRORS,
  example: { search: { email: 'chinwe.eze@customer.example' } },
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
