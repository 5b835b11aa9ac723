import { beforeEach, describe, expect, test } from '@jest/globals';
import { productStream } from '#domain/product/product.ts';
import { reservationStream } from '#event-sourcing/identifiers.ts';
import { setUpProduct, setUpProvider, PRODUCT_INPUT } from '#test/support/admin-fixtures.ts';
import { CommandHarness, invalidFields } from '#test/support/command-harness.ts';
import { addProduct } from './add-product.ts';
import { updateProduct } from './update-product.ts';

const UNKNOWN = '6f1d2f0c-5b0e-5f52-9c3a-5e1a7c1f2b64';

let h: CommandHarness;
let providerId: string;
beforeEach(async () => {
  h = new CommandHarness();
  providerId = await setUpProvider(h);
});

describe('AddProduct', () => {
  test('reserves the name for the first product and accepts a second one of the same name', async () => {
    const first = await setUpProduct(h, providerId);
    const second = await setUpProduct(h, providerId, { name: 'MOTOR comprehensive' });
    expect(second).not.toBe(first);
    const [reserved, ...more] = await h.events(
      reservationStream('productName', providerId, 'Auto Motor Comprehensive'),
    );
    expect(more).toEqual([]);
    expect(reserved?.data).toMatchObject({ target: productStream(first) });
  });

  test('names every invalid field', async () => {
    const refusal = await h.expectRefusal(addProduct, {
      provider_id: 'x',
      name: '',
      description: 3,
      product_type: 'Boat',
      base_premium: '123456789.00',
      currency: 'JPY',
      product_plan: 'x'.repeat(256),
      rating: {
        rate: { field: 'value', percent: '1,5' },
        loadings: [{ field: 'use', percent: '20', label: 'no test' }],
      },
      coverages: [{ coverage_name: 'Fire', coverage_limit: '-1', deductible: '-0.01' }],
      cancellation: { cooling_off_days: 61, refund_after_claim: 'no', minimum_retained: '-1' },
      tiers: [{ tier_name: 'Basic', base_premium: '5,0' }],
      additional_information: { allowed: {} },
      renewable: 'maybe',
      premium: '5',
    });
    expect(invalidFields(refusal).sort()).toEqual(
      [
        'provider_id',
        'name',
        'description',
        'product_type',
        'base_premium',
        'currency',
        'product_plan',
        'rating.rate.percent',
        'rating.loadings.0',
        'coverages.0.coverage_limit',
        'coverages.0.deductible',
        'cancellation.cooling_off_days',
        'cancellation.refund_after_claim',
        'cancellation.minimum_retained',
        'tiers.0.base_premium',
        'additional_information.allowed',
        'renewable',
        'premium',
      ].sort(),
    );
  });

  test.each([
    [{ min_age: -1, max_age: 151 }, ['min_age', 'max_age']],
    [{ min_age: 17.5, max_age: '70' }, ['min_age', 'max_age']],
    [{ min_age: 71, max_age: 70 }, ['max_age']],
  ])('rejects the ages %j', async (additional_information, fields) => {
    const refusal = await h.expectRefusal(addProduct, {
      provider_id: providerId,
      ...PRODUCT_INPUT,
      additional_information,
    });
    expect(invalidFields(refusal)).toEqual(fields.map((field) => `additional_information.${field}`));
  });

  test('rejects two tiers or coverages of one name', async () => {
    const tier = { base_premium: '5', coverages: [{ coverage_name: 'Fire' }, { coverage_name: ' fire' }] };
    const refusal = await h.expectRefusal(addProduct, {
      provider_id: providerId,
      ...PRODUCT_INPUT,
      tiers: [
        { ...tier, tier_name: 'Basic' },
        { tier_name: 'BASIC', base_premium: '6' },
      ],
    });
    expect(invalidFields(refusal)).toEqual(['tiers.0.coverages.1.coverage_name', 'tiers.1.tier_name']);
  });
});

describe('UpdateProduct', () => {
  test('reserves the new name of a product', async () => {
    const productId = await setUpProduct(h, providerId);
    await h.run(updateProduct, { product_id: productId, name: 'Motor Plus' });
    const [reserved] = await h.events(reservationStream('productName', providerId, 'Auto Motor Plus'));
    expect(reserved?.data).toMatchObject({ target: productStream(productId) });
  });

  test('cannot move a product to another provider', async () => {
    const input = { product_id: await setUpProduct(h, providerId), provider_id: UNKNOWN };
    expect(invalidFields(await h.expectRefusal(updateProduct, input))).toContain('provider_id');
  });
});
