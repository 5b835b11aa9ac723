import { z } from 'zod';
import { toCustomerResource } from '../projections/customers/customer-resource.ts';
import { type CustomerDocument, customers } from '../projections/customers/customers.ts';
import { dayOf } from '../src/event-sourcing/time.ts';
import { checkKnownAt, knownAtSearch } from './history/known-at.ts';
import { asKnownAt } from './history/past.ts';
import { defineQuery } from './query.ts';
import { contentOf, showable } from './reading.ts';
import { customerNamed } from './resources.ts';
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
    const stored = await customerNamed(context, path.id);
    const view =
      known_at === undefined
        ? toCustomerResource(contentOf(showable(stored, 'customer_not_found')) as CustomerDocument, context.today)
        : toCustomerResource((await asKnownAt(context, customers, stored, known_at)).document, dayOf(known_at));
    return { kind: 'resource', body: JSON.stringify(view), etag: undefined };
  },
});
