import type { ProductEvent, ProductState } from '../../src/domain/product/product.ts';

/** The ids of an existing product, which each of its events carries. */
export function idsOf(state: ProductState): Pick<ProductEvent['data'], 'productId' | 'providerId' | 'visibility'> {
  const { productId, providerId, visibility } = state;
  return { productId, providerId, visibility };
}
