import { expect, test } from '@jest/globals';
import { ratingInput } from '#commands/product/product-fields.ts';
import { derivedId } from '#event-sourcing/identifiers.ts';
import { decode } from '../events.ts';
import { PRODUCT_TYPES } from './product.ts';

const loading = { field: '', label: '', percent: '10000000' };
const rating = { rate: { field: '', percent: '10000000' }, loadings: Array.from({ length: 101 }, () => loading) };
const details = {
  name: 'Motor',
  description: '',
  productType: 'Bicycle',
  basePremium: '100.00',
  currency: 'NGN',
  productPlan: null,
  rating,
  coverages: [],
  tiers: [{ name: 'Gold', basePremium: '100.00', rating, coverages: [] }],
  acceptanceRules: { options: {}, refused: {} },
  eligibility: { minAge: null, maxAge: null },
  cancellation: null,
  renewable: true,
  inspectionRequired: false,
  certificationRequired: false,
  isLive: true,
};
const ids = { productId: derivedId('product'), providerId: derivedId('provider'), visibility: 'both' };

test.each([
  ['ProductAdded.v1', { ...ids, merchantId: null, ...details }],
  ['ProductUpdated.v1', { ...ids, changes: details }],
])('%s stays readable when the API no longer accepts its rating and type', (type, data) => {
  expect(ratingInput.safeParse(rating).success).toBe(false);
  expect(PRODUCT_TYPES).not.toContain(details.productType);
  const stored = { ...data, effectiveAt: '2026-03-01' };
  const event = decode({
    id: derivedId('event'),
    stream: `product-${ids.productId}`,
    revision: 0,
    position: 1n,
    type,
    data: stored,
    metadata: {
      recordedAt: '2026-03-01T10:00:00.000Z',
      $correlationId: 'c',
      $causationId: 'c',
      actor: { role: 'admin', keyId: null },
      command: { name: 'AddProduct', id: 'c' },
    },
  });
  expect(event.data).toEqual(stored);
});
