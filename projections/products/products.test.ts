import { describe, expect, test } from '@jest/globals';
import { type SampleEvent, sampleId, toRecorded } from '#test/support/sample-events.ts';
import { type ProductDocument, products } from './products.ts';

const productId = sampleId('product', 1);
const productEvent = (type: string, data: object): SampleEvent => ({
  stream: `product-${productId}`,
  type,
  data: { productId, providerId: sampleId('provider', 1), visibility: 'both', ...data },
  tags: {},
});
const ADDED_DATA = {
  merchantId: null,
  name: 'Motor',
  description: 'Covers a car',
  productType: 'Auto',
  basePremium: '5000.00',
  currency: 'NGN',
  productPlan: null,
  rating: { surcharge: '500', tax_percent: '7.5' },
  coverages: [
    { coverageId: 'c-1', name: 'theft', description: null, type: 'property', limit: '100000.00', deductible: '50.00' },
    { coverageId: 'c-2', name: 'fire', description: 'of any kind', type: null, limit: null, deductible: null },
  ],
  tiers: [],
  acceptanceRules: { options: {}, refused: {} },
  eligibility: { minAge: 18, maxAge: null },
  cancellation: { coolingOffDays: 14, refundAfterClaim: false, minimumRetained: '20.00' },
  renewable: true,
  inspectionRequired: false,
  certificationRequired: false,
  isLive: true,
};
const ADDED = productEvent('ProductAdded', ADDED_DATA);
const foldEvents = (...samples: readonly SampleEvent[]) => {
  const document = toRecorded(...samples).reduce<ProductDocument | undefined>(
    (before, event) => products.fold(before, event),
    undefined,
  );
  if (document === undefined) throw new Error('there is no product');
  return document;
};

describe('products', () => {
  test('have the fields of list item and detail', () => {
    expect(foldEvents(ADDED)).toMatchObject({
      id: productId,
      created_at: '2026-03-01T10:00:00.000Z',
      updated_at: '2026-03-01T10:00:00.000Z',
      is_trashed: false,
      trashed_at: null,
      restored_at: null,
      product_type: 'Auto',
      coverage_details: 'theft, fire',
      is_live: true,
      provider_id: sampleId('provider', 1),
      coverages: [
        {
          coverage_id: 'c-1',
          coverage_name: 'theft',
          coverage_description: null,
          coverage_type: 'property',
          coverage_limit: '100000.00',
          deductible: '50.00',
        },
        { coverage_id: 'c-2', coverage_name: 'fire', deductible: null },
      ],
      currency: 'NGN',
      base_premium: '5000.00',
      origin_product_id: null,
      product_plan: null,
      pricing: { amount: '5000.00', tax: '412.50', surcharges: '500.00', total_price: '5912.50' },
      eligibility: { min_age: 18, max_age: null },
      cancellation: { cooling_off_days: 14, refund_after_claim: false, minimum_retained: '20.00' },
    });
  });

  test('change price and coverages with an update, and nothing else', () => {
    const changes = { basePremium: '6000.00', coverages: [], isLive: false, cancellation: null };
    expect(foldEvents(ADDED, productEvent('ProductUpdated', { changes }))).toMatchObject({
      name: 'Motor',
      updated_at: '2026-03-01T11:00:00.000Z',
      created_at: '2026-03-01T10:00:00.000Z',
      is_live: false,
      coverage_details: null,
      coverages: [],
      pricing: { amount: '6000.00', total_price: '6987.50' },
      cancellation: null,
    });
  });

  test('show the times of withdrawal and restoration', () => {
    const withdrawn = productEvent('ProductWithdrawn', {});
    const restored = productEvent('ProductRestored', {});
    const [first, second] = ['2026-03-01T11:00:00.000Z', '2026-03-01T12:00:00.000Z'];
    expect(foldEvents(ADDED, withdrawn)).toMatchObject({ is_trashed: true, trashed_at: first, restored_at: null });
    expect(foldEvents(ADDED, withdrawn, restored)).toMatchObject({
      is_trashed: false,
      trashed_at: first,
      restored_at: second,
      updated_at: second,
    });
  });

  test('are found by type, by provider, by mode and by whether they are on sale', () => {
    expect(products.indexes(foldEvents(ADDED))).toEqual({
      product_type: 'Auto',
      provider: sampleId('provider', 1),
      visible_live: true,
      visible_test: true,
      visible_to: 'both',
      listed_to: 'both',
      on_sale: true,
    });
    const stopped = productEvent('ProductUpdated', { changes: { isLive: false } });
    const [withdrawn, restored] = [productEvent('ProductWithdrawn', {}), productEvent('ProductRestored', {})];
    expect(products.indexes(foldEvents(ADDED, stopped))).toMatchObject({
      on_sale: false,
      visible_to: 'both',
      listed_to: null,
    });
    expect(products.indexes(foldEvents(ADDED, withdrawn))).toMatchObject({
      on_sale: false,
      visible_to: 'both',
      listed_to: null,
    });
    expect(products.indexes(foldEvents(ADDED, withdrawn, restored))).toMatchObject({
      on_sale: true,
      listed_to: 'both',
    });
  });

  test('of one merchant are listed to it in their mode, on sale or not', () => {
    const merchantId = sampleId('merchant', 1);
    const own = productEvent('ProductAdded', { ...ADDED_DATA, visibility: 'test', merchantId, isLive: false });
    const scope = `${merchantId}-test`;
    expect(products.indexes(foldEvents(own))).toMatchObject({
      visible_live: false,
      visible_test: true,
      visible_to: scope,
      listed_to: scope,
      on_sale: false,
    });
  });
});
