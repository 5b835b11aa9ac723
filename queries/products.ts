import { z } from 'zod';
import { type ProductDocument, productItemSchema, productSchema } from '#projections/products/products.ts';
import { type ProviderDocument, providerVisibility } from '#projections/providers/providers.ts';
import { isVisibleToMerchant, visibleScopes } from '#domain/visibility.ts';
import type { FindQuery, StoredDocument } from '#stores/read-models/read-models.ts';
import { visibilityCondition, isInVisibleScope, linkedPaging, nestedArray, readPage, testModeSearch } from './lists.ts';
import { idFilter, productTypeChoice, uuidText } from './parameters.ts';
import { defineQuery, EVERY_ROLE, isPlatform, type QueryContext, type Reader } from './query.ts';
import { entityTagOf, hashOf, parseBody, PRODUCT_ERRORS, requireResource } from './resources.ts';

function toProductItem(product: ProductDocument) {
  return {
    id: product.id,
    created_at: product.created_at,
    updated_at: product.updated_at,
    is_trashed: product.is_trashed,
    trashed_at: product.trashed_at,
    restored_at: product.restored_at,
    name: product.name,
    description: product.description,
    product_type: product.product_type,
    coverage_details: product.coverage_details,
    is_live: product.is_live,
    provider: product.provider_id,
  };
}

function toProductDetail(product: ProductDocument, provider: ProviderDocument | undefined) {
  const { coverage_details: _, ...details } = toProductItem(product);
  return {
    ...details,
    coverages: product.coverages,
    provider: {
      provider_id: product.provider_id,
      provider_name: provider?.name ?? null,
      email: provider?.support_email ?? null,
    },
    currency: product.currency,
    base_premium: product.base_premium,
    origin_product_id: product.origin_product_id,
    product_plan: product.product_plan,
    pricing: product.pricing,
    eligibility: product.eligibility,
    cancellation: product.cancellation,
  };
}

export const getProduct = defineQuery({
  name: 'GetProduct',
  roles: EVERY_ROLE,
  summary: "Reads one product, with its provider's current name and e-mail.",
  description:
    'A product with its coverages, accepted ages, rules for cancellations and basic pricing: `pricing.amount` is the net price of a year (the base premium, at least the minimum premium) without what depends on the risk and without discount, `tax` the tax on amount and surcharges. Quotes contain the price for a customer.',
  errors: PRODUCT_ERRORS,
  pathParameters: z.strictObject({
    id: uuidText.meta({ format: 'uuid', examples: ['6a06ef58-9ab3-5d50-9b60-0d00c3a6cc03'] }),
  }),
  response: productSchema,
  async respond({ path }, context) {
    const { readModels, reader } = context;
    const found = await readModels.get('products', path.id.toLowerCase());
    const provider = await findProvider(readModels, found);
    const isVisible = (document: StoredDocument): boolean =>
      isInVisibleScope(reader, document) && isProviderVisibleTo(reader, provider);
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
export function isProviderVisibleTo(reader: Reader, provider: ProviderDocument | undefined): boolean {
  if (reader.role !== 'merchant') return true;
  return provider !== undefined && isVisibleToMerchant(reader, providerVisibility(provider));
}

export const listProducts = defineQuery({
  name: 'ListProducts',
  roles: EVERY_ROLE,
  summary: 'Lists products, of a type or an insurer.',
  description:
    'A merchant sees the products on sale (`is_live`, not withdrawn) of the insurers that it finds (of the oldest 1,000; with `provider_id` of any), and those that its own imports added; with `include_withdrawn=true` also those that are not on sale, or whose insurer was withdrawn, as the single view shows them. Platform keys see all, an insurer all of its own. All are in one array inside `results`. `test_mode` is for platform keys.',
  errors: [],
  example: { search: { limit: 25, product_type: 'Auto' } },
  search: z.strictObject({
    ...linkedPaging,
    ...testModeSearch,
    product_type: productTypeChoice.meta({ description: 'Only products of this type' }),
    provider_id: idFilter.meta({ description: 'Only products of this insurer' }),
    include_withdrawn: z
      .enum(['true', 'false'], 'must be true or false')
      .optional()
      .meta({ description: '`true`: also products that are not on sale' }),
  }),
  paged: true,
  response: z.array(z.array(productItemSchema)),
  async respond({ search }, context) {
    const { product_type, provider_id: provider } = search;
    const { reader } = context;
    const isWhole = search.include_withdrawn === 'true';
    const where = {
      ...visibilityCondition(reader, search, isWhole && reader.role === 'merchant' ? 'visible_to' : 'listed_to'),
      ...(product_type && { product_type }),
      ...(provider && { provider }),
    };
    const current = await ofVisibleProviders(context, provider, isWhole);
    const item = (document: Parameters<typeof parseBody>[0]): string =>
      JSON.stringify(toProductItem(parseBody(document) as ProductDocument));
    return await readPage(context, 'products', { ...search, where, current }, item, nestedArray);
  },
});

/** Most insurers whose products one list shows, the oldest first, unless the list is of one insurer. */
const MAX_PROVIDERS = 1_000;

/**
 * Returns the condition for products of the insurers that the reader finds in lists, or of withdrawn ones too. A
 * product does not know whether its insurer is confirmed or withdrawn.
 */
async function ofVisibleProviders(
  { reader, readModels }: QueryContext,
  provider: string | undefined,
  withWithdrawn: boolean,
): Promise<FindQuery['where']> {
  if (isPlatform(reader)) return {};
  if (reader.role === 'insurer')
    return { provider: [undefined, reader.providerId].includes(provider) ? reader.providerId : [] };
  const index = withWithdrawn ? 'scope' : 'visible_to';
  if (provider !== undefined) {
    const document = await readModels.get('providers', provider);
    const scope = document?.indexes[index];
    return { provider: typeof scope === 'string' && visibleScopes(reader).includes(scope) ? provider : [] };
  }
  const where = { [index]: visibleScopes(reader) };
  const page = { skipCount: true, limit: MAX_PROVIDERS, offset: 0 };
  const { documents } = await readModels.find('providers', { where, ...page });
  return { provider: documents.map(({ key }) => key) };
}
