import { z } from 'zod';
import type { CustomerDocument } from '../projections/customers/customers.ts';
import { dataObject, paging } from './lists.ts';
import { Refusal } from '../src/domain/refusals.ts';
import { defineQuery } from './query.ts';
import { isVisibleTo, parseBody } from './stored-documents.ts';
import { customerClaimShape, uuidText } from './shapes.ts';

export const listCustomerClaims = defineQuery({
  name: 'ListCustomerClaims',
  summary: 'Lists all claims of a customer: open and resolved.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: z.strictObject({ id: uuidText }),
  search: z.strictObject(paging),
  paged: true,
  response: z.array(z.strictObject({ data: z.array(customerClaimShape) })),
  async answer({ path, search: { limit, offset } }, context) {
    const stored = await context.readModels.get('customers', path.id.toLowerCase());
    if (stored?.body === undefined || !isVisibleTo(context.reader, stored)) throw new Refusal('customer_not_found');
    const { claims } = parseBody(stored) as CustomerDocument;
    const items = claims.slice(offset, offset + limit).map((claim) => JSON.stringify(claim));
    return { kind: 'page', count: claims.length, limit, offset, results: dataObject(items) };
  },
});
