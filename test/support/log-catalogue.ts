import type { Catalogue, OfferedProduct } from '#commands/services.ts';
import { isVisibleToMerchant } from '#domain/visibility.ts';
import { decode, loadState } from '#domain/events.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { type ProductEvent, type ProductState, product, productStream } from '#domain/product/product.ts';
import { type ProviderEvent, type ProviderState, provider, providerStream } from '#domain/provider/provider.ts';
import type { EventStore } from '#stores/event-log/event-log.ts';

/** Returns a catalogue that folds the products from the log on every call. */
export function logCatalogue(store: EventStore): Catalogue {
  return {
    productsOnSale: async (type, environment) => {
      const products = new Map<string, ProductState>();
      const providers = new Map<string, ProviderState>();
      for (const raw of await store.readAll({ after: undefined, limit: 100_000 })) {
        const event = decode(raw);
        const { stream } = event;
        if (stream.startsWith(productStream(''))) {
          products.set(stream, product.evolve(products.get(stream), event as RecordedEvent<ProductEvent>));
        } else if (stream.startsWith(providerStream(''))) {
          providers.set(stream, provider.evolve(providers.get(stream), event as RecordedEvent<ProviderEvent>));
        }
      }
      return [...products.values()].flatMap((state): OfferedProduct[] => {
        const insurer = providers.get(providerStream(state.providerId));
        const isSold = state.isLive && state.status === 'offered' && state.productType === type;
        if (!isSold || insurer === undefined || insurer.isWithdrawn) return [];
        if (![state, insurer].every((visibilityFields) => isVisibleToMerchant(environment, visibilityFields)))
          return [];
        const { providerId: id, name, supportEmail: email } = insurer;
        return [{ product: state, provider: { id, name, email } }];
      });
    },
    productById: async (productId) => await loadState(product, productStream(productId), store),
    isParked: async () => await Promise.resolve(false),
  };
}
