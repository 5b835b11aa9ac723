import type { OfferedProduct } from '#commands/services.ts';
import type { ProductState } from '#domain/product/product.ts';
import { sampleId } from './sample-events.ts';

/** Returns a product as the catalogue offers it. */
export function offeredProduct(number: number, changes: Partial<ProductState> = {}): OfferedProduct {
  const provider = { id: sampleId('provider', number % 3), name: `Insurer ${number % 3}`, email: null };
  return {
    provider,
    product: {
      status: 'offered',
      productId: sampleId('product', number),
      providerId: provider.id,
      visibility: 'both',
      merchantId: null,
      name: `Product ${number}`,
      description: 'What it covers, in a sentence or two',
      productType: 'Auto',
      basePremium: '5000.00',
      currency: 'NGN',
      productPlan: null,
      rating: null,
      coverages: [],
      tiers: [],
      acceptanceRules: { options: {}, refused: {} },
      eligibility: { minAge: null, maxAge: null },
      cancellation: null,
      renewable: true,
      inspectionRequired: false,
      certificationRequired: false,
      isLive: true,
      ...changes,
    },
  };
}
