import { z } from 'zod';
import type { ProductDocument } from '../projections/products/products.ts';
import { inOneArray, pageOf, paging, testModeOf, visibleIn, worldChoice } from './lists.ts';
import { toProductItem } from './product-resources.ts';
import { defineQuery } from './query.ts';
import { contentOf } from './reading.ts';
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
    const where = { [visibleIn(testModeOf(context.reader, search))]: true };
    const item = (document: Parameters<typeof contentOf>[0]): string =>
      JSON.stringify(toProductItem(contentOf(document) as ProductDocument));
    return await pageOf(context, 'products', { where, limit, offset }, item, inOneArray);
  },
});
