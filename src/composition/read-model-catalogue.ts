import { LRUCache } from 'lru-cache';
import type { Catalogue, OfferedProduct } from '../command-handling/ports.ts';
import type { ProductDocument } from '../../projections/products/products.ts';
import type { ProviderDocument } from '../../projections/providers/providers.ts';
import type { ReadModels, StoredDocument } from '../read-models/read-models.ts';

/** More products on sale of one type than this are not quoted at once; the oldest are. */
const MOST_PRODUCTS = 1_000;
/** The parsed documents that are kept, in characters of their text. */
const KEPT_CHARACTERS = 32 * 1024 * 1024;

/**
 * What is sold, out of the read models. `ready` resolves when they can be asked: products that are not there yet would not be
 * offered. @throws what `ready` throws
 */
export function readModelCatalogue(
  readModels: Pick<ReadModels, 'find' | 'getMany'>,
  ready: () => Promise<void>,
): Catalogue {
  const parsed = new LRUCache<string, { readonly body: string | undefined; readonly content: unknown }>({
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: ({ body = '' }) => body.length + 1,
  });
  // By the text itself: a document that is folded anew, as a parked one that was mended, may stay at its position.
  const contentOf = ({ key, body }: StoredDocument): unknown => {
    const known = parsed.get(key);
    if (known !== undefined && known.body === body) return known.content;
    const content: unknown = JSON.parse(body ?? 'null');
    parsed.set(key, { body, content });
    return content;
  };
  return {
    liveProducts: async (type, world) => {
      await ready();
      const where = { product_type: type, [`visible_${world}`]: true, on_sale: true };
      const { documents } = await readModels.find('products', { where, limit: MOST_PRODUCTS, offset: 0 });
      const live = documents.map((document) => (contentOf(document) as ProductDocument).state);
      const providers = await readModels.getMany('providers', [...new Set(live.map(({ providerId }) => providerId))]);
      const byId = new Map(providers.map((document) => [document.key, contentOf(document) as ProviderDocument | null]));
      return live.flatMap((product): OfferedProduct[] => {
        const provider = byId.get(product.providerId);
        if (provider === undefined || provider === null) return [];
        return [{ product, provider: { id: provider.id, name: provider.name, email: provider.support_email } }];
      });
    },
  };
}
