import { z } from 'zod';
import { toCustomerResource } from '../projections/customers/customer-resource.ts';
import { type CustomerDocument, customers } from '../projections/customers/customers.ts';
import { dayOf } from '../src/event-sourcing/time.ts';
import { checkKnownAt, knownAtSearch } from './history/known-at.ts';
import { documentKnownAt } from './history/document-history.ts';
import { defineQuery } from './query.ts';
import { parseBody, requireReadable } from './stored-documents.ts';
import { getCustomerDocument } from './resources.ts';
import { customerShape, uuidText } from './shapes.ts';

export const getCustomer = defineQuery({
  name: 'GetCustomer',
  summary:
    'Reads one customer with all policies, those that are active on the day, and the open claims, as it is or as it was known at a moment.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: z.strictObject({ id: uuidText }),
  search: z.strictObject(knownAtSearch),
  paged: false,
  response: customerShape,
  async answer({ path, search: { known_at } }, context) {
    checkKnownAt(known_at, context);
    const stored = await getCustomerDocument(context, path.id);
    const view =
      known_at === undefined
        ? toCustomerResource(
            parseBody(requireReadable(stored, 'customer_not_found')) as CustomerDocument,
            context.today,
          )
        : toCustomerResource((await documentKnownAt(context, customers, stored, known_at)).document, dayOf(known_at));
    return { kind: 'resource', body: JSON.stringify(view), etag: undefined };
  },
});
