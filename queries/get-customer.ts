import { z } from 'zod';
import { customerView } from '../projections/customers/customer-view.ts';
import type { CustomerDocument } from '../projections/customers/customers.ts';
import { defineQuery } from './query.ts';
import { contentOf, owns, shown } from './reading.ts';
import { customerShape, uuidText } from './shapes.ts';

export const getCustomer = defineQuery({
  name: 'GetCustomer',
  summary: 'Reads one customer with all policies, those that are active today, and the open claims.',
  path: '/api/v1/customers/:id',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: z.strictObject({ id: uuidText }),
  search: z.strictObject({}),
  paged: false,
  response: customerShape,
  async answer({ path }, context) {
    const stored = await context.readModels.get('customers', path.id.toLowerCase());
    const document = shown(stored, 'customer_not_found', (document) => owns(context.reader, document));
    const view = customerView(contentOf(document) as CustomerDocument, context.today);
    return { kind: 'resource', body: JSON.stringify(view), etag: undefined };
  },
});
