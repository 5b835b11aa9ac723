import type { ProductDocument } from '../projections/products/products.ts';
import type { ProviderDocument } from '../projections/providers/providers.ts';

/** Returns a product as an item of a list. */
export function toProductItem(product: ProductDocument) {
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

/** Returns a product in detail, with its provider's current name and e-mail. */
export function toProductDetail(product: ProductDocument, provider: ProviderDocument | undefined) {
  const { coverage_details: _, ...facts } = toProductItem(product);
  return {
    ...facts,
    coverages: product.coverages,
    provider: {
      provider_id: product.provider_id,
      provider_name: provider?.name ?? null,
      email: provider?.support_email ?? null,
    },
    base_premium: product.base_premium,
    origin_product_id: product.origin_product_id,
    product_plan: product.product_plan,
    pricing: product.pricing,
  };
}

/** Returns a provider as an item of a list. */
export function toProviderItem({ id, name, address, phone_number, merchant_id, withdrawn_at }: ProviderDocument) {
  return { id, name, address, phone_number, is_confirmed: merchant_id === null, withdrawn_at };
}
