import { z } from 'zod';
import type { ProductDocument } from '../projections/products/products.ts';
import type { ProviderDocument } from '../projections/providers/providers.ts';
import { isInAudience } from './lists.ts';
import { toProductDetail } from './product-resources.ts';
import { defineQuery } from './query.ts';
import { entityTagOf, hashOf, parseBody, requireResource } from './stored-documents.ts';
import { productShape, uuidText } from './shapes.ts';

export const getProduct = defineQuery({
  name: 'GetProduct',
  summary: "Reads one product, with its provider's current name and e-mail.",
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: z.strictObject({ id: uuidText }),
  search: z.strictObject({}),
  paged: false,
  response: productShape,
  async answer({ path }, context) {
    const { readModels, reader } = context;
    const found = await readModels.get('products', path.id.toLowerCase());
    const stored = requireResource(found, 'product_not_found', (document) => isInAudience(reader, document));
    const product = parseBody(stored) as ProductDocument;
    const provider = await readModels.get('providers', product.provider_id);
    const known = provider?.body === undefined ? undefined : (parseBody(provider) as ProviderDocument);
    const body = JSON.stringify(toProductDetail(product, known));
    const etag = entityTagOf(context, 'products', stored, hashOf(body));
    return { kind: 'resource', body, etag };
  },
});
