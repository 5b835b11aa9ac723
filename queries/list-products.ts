import { z } from 'zod';
import type { ProductDocument } from '../projections/products/products.ts';
import { audienceCondition, nestedArray, readPage, linkedPaging, worldChoice } from './lists.ts';
import { toProductItem } from './product-resources.ts';
import { defineQuery } from './query.ts';
import { parseBody } from './stored-documents.ts';
import { idFilter, productItemShape, productTypeChoice } from './shapes.ts';

export const listProducts = defineQuery({
  name: 'ListProducts',
  summary: 'Lists products, of a type or an insurer.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: z.strictObject({}),
  search: z.strictObject({
    ...linkedPaging,
    ...worldChoice,
    product_type: productTypeChoice.meta({ description: 'Only products of this type' }),
    provider_id: idFilter.meta({ description: 'Only products of this insurer' }),
  }),
  paged: true,
  response: z.array(z.array(productItemShape)),
  async answer({ search }, context) {
    const { product_type, provider_id: provider } = search;
    const where = {
      ...audienceCondition(context.reader, search, 'listed_to'),
      ...(product_type && { product_type }),
      ...(provider && { provider }),
    };
    const item = (document: Parameters<typeof parseBody>[0]): string =>
      JSON.stringify(toProductItem(parseBody(document) as ProductDocument));
    return await readPage(context, 'products', { ...search, where }, item, nestedArray);
  },
});
