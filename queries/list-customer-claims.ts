import { z } from 'zod';
import type { ClaimDocument } from '../projections/claims/claims.ts';
import { claimSummary, claimSummarySchema } from '../projections/customers/customer-resource.ts';
import { dataObject, linkedPaging, readPage } from './lists.ts';
import { defineQuery } from './query.ts';
import { parseBody } from './stored-documents.ts';
import { getCustomerDocument } from './resources.ts';
import { customerPath } from './parameters.ts';

export const listCustomerClaims = defineQuery({
  name: 'ListCustomerClaims',
  summary: 'Lists all claims of a customer: open and resolved.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: customerPath,
  search: z.strictObject(linkedPaging),
  paged: true,
  response: z.array(z.strictObject({ data: z.array(claimSummarySchema) })),
  async respond({ path, search }, context) {
    const { key: customer } = await getCustomerDocument(context, path.id);
    return await readPage(
      context,
      'claims',
      { ...search, where: { customer } },
      (stored) => JSON.stringify(claimSummary(parseBody(stored) as ClaimDocument)),
      dataObject,
    );
  },
});
