import { LRUCache } from 'lru-cache';
import type { Catalogue, OfferedProduct } from '#commands/services.ts';
import type { ProductDocument } from '#projections/products/products.ts';
import { type ProviderDocument, providerVisibility } from '#projections/providers/providers.ts';
import { isVisibleToMerchant, visibleScopes } from '#domain/visibility.ts';
import type { ReadModels, StoredDocument } from '#stores/read-models/read-models.ts';

const MAX_PRODUCTS = 1_000;
const CACHE_CHARACTERS = 32 * 1024 * 1024;

/**
 * Creates a catalogue from the read models.
 * @param ready resolves when the read models are complete; its errors are passed on
 */
export function readModelCatalogue(
  readModels: Pick<ReadModels, 'find' | 'get' | 'getMany'>,
  ready: () => Promise<void>,
): Catalogue {
  const parsed = new LRUCache<string, { readonly body: string | undefined; readonly content: unknown }>({
    maxSize: CACHE_CHARACTERS,
    sizeCalculation: ({ body = '' }) => body.length + 1,
  });
  // Compares the text, because the repair of a parked document may keep its position.
  const contentOf = ({ key, body }: StoredDocument): unknown => {
    const cached = parsed.get(key);
    if (cached !== undefined && cached.body === body) return cached.content;
    const content: unknown = JSON.parse(body ?? 'null');
    parsed.set(key, { body, content });
    return content;
  };
  return {
    productsOnSale: async (type, environment) => {
      await ready();
      const where = { product_type: type, visible_to: visibleScopes(environment), on_sale: true };
      const { documents } = await readModels.find('products', { where, limit: MAX_PRODUCTS, offset: 0 });
      const live = documents.map((document) => (contentOf(document) as ProductDocument).state);
      const providers = await readModels.getMany('providers', [...new Set(live.map(({ providerId }) => providerId))]);
      const byId = new Map(providers.map((document) => [document.key, contentOf(document) as ProviderDocument | null]));
      return live.flatMap((product): OfferedProduct[] => {
        const provider = byId.get(product.providerId);
        if (provider === undefined || provider === null) return [];
        const isVisible = isVisibleToMerchant(environment, providerVisibility(provider));
        if (!isVisible || provider.withdrawn_at !== null) return [];
        return [{ product, provider: { id: provider.id, name: provider.name, email: provider.support_email } }];
      });
    },
    productById: async (productId) => {
      await ready();
      const stored = await readModels.get('products', productId);
      const document = stored && (contentOf(stored) as ProductDocument | null);
      return document?.state;
    },
    isParked: async (collection, key) => {
      await ready();
      return (await readModels.get(collection, key))?.parked !== undefined;
    },
  };
}
