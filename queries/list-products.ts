import { z } from 'zod';
import type { ProductDocument } from '../projections/products/products.ts';
import { nestedArray, readPage, paging, testModeOf, visibilityIndexOf, worldChoice } from './lists.ts';
import { toProductItem } from './product-resources.ts';
import { defineQuery } from './query.ts';
import { parseBody } from './stored-documents.ts';
import { productItemShape } from './shapes.ts';

export const listProducts = defineQuery({
  name: 'ListProducts',
  summary: 'Lists products.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: z.strictObject({}),
  search: z.strictObject({ ...paging, ...worldChoice }),
  paged: true,
  response: z.array(z.array(productItemShape)),
  async answer({ search }, context) {
    const { limit, offset } = search;
    const where = { [visibilityIndexOf(testModeOf(context.reader, search))]: true };
    const item = (document: Parameters<typeof parseBody>[0]): string =>
      JSON.stringify(toProductItem(parseBody(document) as ProductDocument));
    return await readPage(context, 'products', { where, limit, offset }, item, nestedArray);
  },
});
