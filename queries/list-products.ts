import { z } from 'zod';
import { type ProductDocument, productItemSchema } from '../projections/products/products.ts';
import { audiencesOf } from '../src/domain/audience.ts';
import type { FindQuery } from '../src/read-models/read-models.ts';
import { audienceCondition, isInAudience, nestedArray, readPage, linkedPaging, worldChoice } from './lists.ts';
import { toProductItem } from './product-resources.ts';
import { defineQuery, type QueryContext } from './query.ts';
import { parseBody } from './stored-documents.ts';
import { idFilter, productTypeChoice } from './parameters.ts';

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
  response: z.array(z.array(productItemSchema)),
  async answer({ search }, context) {
    const { product_type, provider_id: provider } = search;
    const where = {
      ...audienceCondition(context.reader, search, 'listed_to'),
      ...(product_type && { product_type }),
      ...(provider && { provider }),
    };
    const current = await ofVisibleProviders(context, provider);
    const item = (document: Parameters<typeof parseBody>[0]): string =>
      JSON.stringify(toProductItem(parseBody(document) as ProductDocument));
    return await readPage(context, 'products', { ...search, where, current }, item, nestedArray);
  },
});

/** Most insurers whose products one list shows, the oldest first, unless the list is of one insurer. */
const MAX_PROVIDERS = 1_000;

/** Returns the condition for products of the insurers that the reader finds in lists. A product does not know whether its insurer is confirmed or withdrawn. */
async function ofVisibleProviders(
  { reader, readModels }: QueryContext,
  provider: string | undefined,
): Promise<FindQuery['where']> {
  if (reader.role !== 'merchant') return {};
  if (provider !== undefined) {
    const document = await readModels.get('providers', provider);
    return { provider: document !== undefined && isInAudience(reader, document) ? provider : [] };
  }
  const where = { visible_to: audiencesOf(reader) };
  const page = { skipCount: true, limit: MAX_PROVIDERS, offset: 0 };
  const { documents } = await readModels.find('providers', { where, ...page });
  return { provider: documents.map(({ key }) => key) };
}
