import { z } from 'zod';
import { customerSchema } from '../projections/customers/customer-resource.ts';
import { customerDetails, type CustomerDocument } from '../projections/customers/customers.ts';
import { customerResource, readCustomerLists } from './customer-view.ts';
import { pointInTimeOf, pointInTimeSearch } from './history/point-in-time.ts';
import { customerAt } from './past-customer.ts';
import { defineQuery } from './query.ts';
import { entityTagOf, hashOf, parseBody, requireReadable } from './stored-documents.ts';
import { getCustomerDocument } from './resources.ts';
import { customerPath } from './parameters.ts';

export const getCustomer = defineQuery({
  name: 'GetCustomer',
  summary:
    'Reads one customer with its newest policies, those that are active on the day, and the open claims, as it is, as of a day or as it was known at a moment.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: customerPath,
  search: z.strictObject(pointInTimeSearch),
  paged: false,
  response: customerSchema,
  async respond({ path, search }, context) {
    const pointInTime = await pointInTimeOf(search, context);
    const stored = await getCustomerDocument(context, path.id);
    if (pointInTime !== undefined) {
      const resource = await customerAt(context, stored, pointInTime);
      return { kind: 'resource', body: JSON.stringify(resource), etag: undefined };
    }
    const document = parseBody(requireReadable(stored, 'customer_not_found')) as CustomerDocument;
    const resource = customerResource(customerDetails(document), await readCustomerLists(context, stored.key));
    const body = JSON.stringify(resource);
    const etag = entityTagOf(context, 'customers', stored, hashOf(body));
    return { kind: 'resource', body, etag };
  },
});
