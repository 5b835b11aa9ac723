import { describe, expect, test } from '@jest/globals';
import { product } from '#domain/product/product.ts';
import { NO_CANCELLATION_RULES } from '#domain/values/cancellation-rules.ts';
import { derivedId } from '#event-sourcing/identifiers.ts';
import { PRODUCT_INPUT } from '#test/support/admin-fixtures.ts';
import { given, type GivenEvent } from '#test/support/given.ts';
import { addProduct } from './add-product.ts';
import { updateProduct } from './update-product.ts';
import { restoreProduct, withdrawProduct } from './withdraw-product.ts';

const [productId, providerId] = [derivedId('product'), derivedId('provider')];
const ids = { productId, providerId, visibility: 'test' as const };
const RATING = { surcharge: '500.00', tax_percent: '7.5' };
/** Ids of coverages show the path from which they derive. */
const newCoverageId = (path: string): string => `COV of ${path}`;

/** Adds a product with these fields of the body; the schema fills in the others. */
const add = (changes: object = {}) =>
  given().when(addProduct, {
    addition: addProduct.input.parse({ provider_id: providerId, ...PRODUCT_INPUT, ...changes }),
    productId,
    visibility: 'test',
    merchantId: null,
    newCoverageId,
  });

const update = (changes: object, ...history: readonly GivenEvent[]) =>
  given(...history).when(updateProduct, {
    ...updateProduct.input.parse({ product_id: productId, ...changes }),
    newCoverageId: (path) => `new ${path}`,
  });

const details = {
  name: 'Motor Comprehensive',
  description: 'Covers the car.',
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
};
const added = (changes: object = {}): GivenEvent => ({
  type: 'ProductAdded',
  data: { ...ids, merchantId: null, ...details, ...changes },
});
const updated = (changes: object): GivenEvent => ({ type: 'ProductUpdated', data: { ...ids, changes } });
const withdrawn = { type: 'ProductWithdrawn', data: ids };
const restored = { type: 'ProductRestored', data: ids };
const coverage = (coverageId: string, name: string, limit: string | null = null) => ({
  coverageId,
  name,
  description: null,
  type: null,
  limit,
  deductible: null,
});

/** Every field of a body, and what its event records. */
const EVERY_FIELD = {
  product_plan: 'Gold',
  rating: RATING,
  coverages: [
    { coverage_name: 'Third party', coverage_type: 'liability', coverage_limit: '1000000', deductible: '250.5' },
    { coverage_name: 'Fire', coverage_description: 'And theft' },
  ],
  tiers: [
    { tier_name: 'Basic', base_premium: '007.5', rating: RATING, coverages: [{ coverage_name: 'Fire' }] },
    { tier_name: 'Plus', base_premium: '9' },
  ],
  additional_information: {
    options: { vehicle_usage: ['Private'] },
    refused: { vehicle_make: ['Lada', 3, true] },
    min_age: 18,
    max_age: 70,
  },
  cancellation: { cooling_off_days: 14, refund_after_claim: false, minimum_retained: '20' },
  renewable: false,
  inspection_required: true,
  cerfication_required: true,
  is_live: false,
};
const everyField = (id: (path: string) => string) => ({
  productPlan: 'Gold',
  rating: RATING,
  coverages: [
    { ...coverage(id('product 0'), 'Third party', '1000000.00'), type: 'liability', deductible: '250.50' },
    { ...coverage(id('product 1'), 'Fire'), description: 'And theft' },
  ],
  tiers: [
    { name: 'Basic', basePremium: '7.50', rating: RATING, coverages: [coverage(id('tier 0 0'), 'Fire')] },
    { name: 'Plus', basePremium: '9.00', rating: null, coverages: [] },
  ],
  acceptanceRules: { options: { vehicle_usage: ['Private'] }, refused: { vehicle_make: ['Lada', 3, true] } },
  eligibility: { minAge: 18, maxAge: 70 },
  cancellation: { coolingOffDays: 14, refundAfterClaim: false, minimumRetained: '20.00' },
  renewable: false,
  inspectionRequired: true,
  certificationRequired: true,
  isLive: false,
});

describe('AddProduct', () => {
  test('fills in defaults', () => {
    add().then(added());
  });

  test('records every field, with canonical amounts and ids of coverages', () => {
    add({ ...EVERY_FIELD, currency: 'GHS' }).then(added({ ...everyField(newCoverageId), currency: 'GHS' }));
  });

  test('fills in missing acceptance rules', () => {
    const options = { vehicle_usage: ['Private'] };
    add({ additional_information: { options } }).then(added({ acceptanceRules: { options, refused: {} } }));
  });

  test('fills in what rules for cancellations leave out', () => {
    const rules = { coolingOffDays: 0, refundAfterClaim: true, minimumRetained: '0.00' };
    add({ cancellation: {} }).then(added({ cancellation: rules }));
    add({ cancellation: { cooling_off_days: 60 } }).then(added({ cancellation: { ...rules, coolingOffDays: 60 } }));
  });
});

describe('A product whose type has a closed list of fields', () => {
  const rating = {
    rate: { field: 'vehicle_price', percent: '1' },
    loadings: [
      { field: 'vehicle_usage', equals: 'Commercial', percent: '20', label: 'known' },
      { field: 'age_of_car', below: '5', percent: '20', label: 'unknown' },
    ],
  };
  const tiers = [
    { tier_name: 'Basic', base_premium: '7.50' },
    { tier_name: 'Plus', base_premium: '9.00', rating: { rate: { field: 'toString', percent: '1' } } },
  ];
  const information = { options: { vehicle_make: ['Fiat'], make: ['Fiat'] }, refused: { use: ['Race'] } };
  const PATHS = [
    'rating.rate.field',
    'rating.loadings.1.field',
    'tiers.1.rating.rate.field',
    'additional_information.options.make',
    'additional_information.refused.use',
  ];
  const unknown = (type: string) => ({
    fields: PATHS.map((field) => ({ field, message: `names a field that quotes of the type ${type} do not have` })),
  });

  test('reads no other field in its prices and rules', () => {
    const fields = { rating, tiers, additional_information: information };
    add(fields).thenRefused('invalid_request', unknown('Auto'));
    update(fields, added()).thenRefused('invalid_request', unknown('Auto'));
  });

  test('is not made of one that reads other fields', () => {
    const fields = { rating, tiers, additional_information: information, product_type: 'PetCare' };
    const [event] = add(fields).events();
    if (event === undefined) throw new Error('the product is added');
    update({ product_type: 'Auto' }, event).thenRefused('invalid_request', unknown('Auto'));
    update({ product_type: 'General' }, event).then(updated({ productType: 'General' }));
  });
});

describe('UpdateProduct', () => {
  test('records every field that differs', () => {
    const other = { name: 'Motor', description: 'All', product_type: 'General', base_premium: '6000' };
    const changes = { name: 'Motor', description: 'All', productType: 'General', basePremium: '6000.00' };
    update({ ...EVERY_FIELD, ...other }, added()).then(updated({ ...everyField((path) => `new ${path}`), ...changes }));
    const acceptanceRules = { options: { vehicle_usage: ['Private'] }, refused: {} };
    update({ base_premium: '5000.0', rating: null, renewable: false }, added({ rating: RATING, acceptanceRules })).then(
      updated({ rating: null, renewable: false }),
    );
  });

  test('keeps the ids of coverages that keep their names, in the product and in tiers of the same name', () => {
    const [fire, theft] = [coverage('COV_1', 'Fire'), coverage('COV_2', 'Theft')];
    const tier = { name: 'Basic', basePremium: '7.50', rating: null };
    const before = added({ coverages: [fire, theft], tiers: [{ ...tier, coverages: [coverage('COV_3', 'Fire')] }] });
    update({ coverages: [{ coverage_name: 'Theft', coverage_limit: '10' }, { coverage_name: 'fire' }] }, before).then(
      updated({ coverages: [coverage('COV_2', 'Theft', '10.00'), coverage('new product 1', 'fire')] }),
    );
    const [kept, replaced] = ['Basic', 'Other'].map((tier_name) => ({
      tiers: [{ tier_name, base_premium: '8', coverages: [{ coverage_name: 'Fire' }] }],
    }));
    const changed = (name: string, id: string) =>
      updated({ tiers: [{ ...tier, name, basePremium: '8.00', coverages: [coverage(id, 'Fire')] }] });
    update(kept ?? {}, before).then(changed('Basic', 'COV_3'));
    update(replaced ?? {}, before).then(changed('Other', 'new tier 0 0'));
  });

  test('clears ages and rules for cancellations that are given as null', () => {
    const before = added({ eligibility: { minAge: 18, maxAge: null }, cancellation: NO_CANCELLATION_RULES });
    const cleared = { eligibility: { minAge: null, maxAge: null }, cancellation: null };
    update({ additional_information: null, cancellation: null }, before).then(updated(cleared));
    update({ additional_information: { max_age: 70, min_age: null } }, before).then(
      updated({ eligibility: { minAge: null, maxAge: 70 } }),
    );
  });

  test('refuses another currency, and takes the same one', () => {
    const fields = [{ field: 'currency', message: 'must stay NGN: the currency of a product is fixed' }];
    update({ currency: 'GHS', name: 'Motor' }, added()).thenRefused('invalid_request', { fields });
    update({ currency: 'NGN', name: 'Motor' }, added()).then(updated({ name: 'Motor' }));
    update({ currency: 'NGN' }, added()).thenRefused('nothing_to_change');
  });

  test('refuses what changes nothing, after earlier changes too', () => {
    update({ ...PRODUCT_INPUT }, added()).thenRefused('nothing_to_change');
    update({ is_live: false }, added(), updated({ isLive: false })).thenRefused('nothing_to_change');
  });
});

describe('A price that has more than 8 integer digits with minimum premium, surcharge and tax', () => {
  const base_premium = '99999999.99';
  const rating = { surcharge: '0.01' };
  const refusedOf = (field: string) => ({
    fields: [{ field, message: 'with minimum premium, surcharge and tax, the price has more than 8 integer digits' }],
  });
  const atLimit = added({ basePremium: base_premium });

  test('is refused when the product is added or changed', () => {
    add({ rating, base_premium }).thenRefused('invalid_request', refusedOf('base_premium'));
    const minimum = { minimum_premium: base_premium, surcharge: '0.01' };
    add({ rating: minimum, base_premium: '1' }).thenRefused('invalid_request', refusedOf('base_premium'));
    for (const by of [rating, { tax_percent: '0.5' }])
      update({ rating: by }, atLimit).thenRefused('invalid_request', refusedOf('base_premium'));
    update({ rating, base_premium: '99999999.98' }, atLimit).then(updated({ rating, basePremium: '99999999.98' }));
  });

  test.each([
    ['its own rating', { base_premium, rating }, null],
    ['the rating of the product', { base_premium }, rating],
  ])('is refused in a tier, by %s', (_by, tier, ofProduct) => {
    const tiers = [
      { tier_name: 'Basic', base_premium: '1.00' },
      { tier_name: 'Gold', ...tier },
    ];
    add({ rating: ofProduct, tiers }).thenRefused('invalid_request', refusedOf('tiers.1.base_premium'));
    update({ tiers }, added({ rating: ofProduct })).thenRefused('invalid_request', refusedOf('tiers.1.base_premium'));
  });
});

test('WithdrawProduct and RestoreProduct alternate', () => {
  given(added()).when(withdrawProduct, {}).then(withdrawn);
  given(added(), withdrawn).when(withdrawProduct, {}).thenRefused('product_withdrawn');
  given(added(), withdrawn).when(restoreProduct, {}).then(restored);
  given(added(), withdrawn, restored).when(restoreProduct, {}).thenRefused('product_not_withdrawn');
  given(added()).when(restoreProduct, {}).thenRefused('product_not_withdrawn');
});

test('A product is what its events recorded', () => {
  const state = { ...ids, merchantId: null, ...details, status: 'offered' };
  expect(given(added()).foldedBy(product)).toEqual(state);
  const changed = given(added(), updated({ name: 'New' }), withdrawn).foldedBy(product);
  expect(changed).toEqual({ ...state, name: 'New', status: 'withdrawn' });
  expect(() => given(withdrawn).foldedBy(product)).toThrow('before the product exists');
});
