import { z } from 'zod';
import { type ProductDocument, productSchema } from '../projections/products/products.ts';
import { audienceOfProvider, type ProviderDocument } from '../projections/providers/providers.ts';
import { isPartOfAudience } from '../src/domain/audience.ts';
import type { StoredDocument } from '../src/read-models/read-models.ts';
import { isInAudience } from './lists.ts';
import { toProductDetail } from './product-resources.ts';
import { defineQuery, type QueryContext, type Reader } from './query.ts';
import { entityTagOf, hashOf, parseBody, requireResource } from './stored-documents.ts';
import { uuidText } from './parameters.ts';

export const getProduct = defineQuery({
  name: 'GetProduct',
  summary: "Reads one product, with its provider's current name and e-mail.",
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: z.strictObject({ id: uuidText }),
  search: z.strictObject({}),
  paged: false,
  response: productSchema,
  async answer({ path }, context) {
    const { readModels, reader } = context;
    const found = await readModels.get('products', path.id.toLowerCase());
    const provider = await findProvider(readModels, found);
    const isVisible = (document: StoredDocument): boolean =>
      isInAudience(reader, document) && isProviderVisibleTo(reader, provider);
    const stored = requireResource(found, 'product_not_found', isVisible);
    const body = JSON.stringify(toProductDetail(parseBody(stored) as ProductDocument, provider));
    const etag = entityTagOf(context, 'products', stored, hashOf(body));
    return { kind: 'resource', body, etag };
  },
});

async function findProvider(
  readModels: QueryContext['readModels'],
  product: StoredDocument | undefined,
): Promise<ProviderDocument | undefined> {
  const stored = product && (await readModels.get('providers', String(product.indexes['provider'])));
  return stored?.body === undefined ? undefined : (parseBody(stored) as ProviderDocument);
}

/** Unlike a list, a single view also shows what a withdrawn provider offered. */
function isProviderVisibleTo(reader: Reader, provider: ProviderDocument | undefined): boolean {
  if (reader.role !== 'merchant') return true;
  return provider !== undefined && isPartOfAudience(reader, audienceOfProvider(provider));
}
