import { describe, expect, test } from '@jest/globals';
import type { ProductState } from '../../src/domain/product/product.ts';
import { MAX_OFFERS } from '../../src/domain/quote/quote-code.ts';
import { offeredProduct } from '../../test/support/offered-products.ts';
import { refusedByAll } from './acceptance-rules.ts';
import { offersFor } from './offers.ts';

const coverage = (name: string, type: string | null = null, limit: string | null = null) => ({
  coverageId: 'COV_1',
  name,
  description: null,
  type,
  limit,
});
const tier = (name: string, basePremium: string, changes: Partial<ProductState['tiers'][number]> = {}) => ({
  name,
  basePremium,
  rating: null,
  coverages: [],
  ...changes,
});

describe('A product with tiers', () => {
  const product = offeredProduct(1, {
    rating: { surcharge: '10' },
    coverages: [coverage('Fire')],
    tiers: [
      tier('Gold', '900.00', { rating: { surcharge: '1' }, coverages: [coverage('All')] }),
      tier('Basic', '100.00'),
    ],
  });

  test('is offered by tier, with the settings of the product as defaults', () => {
    const offers = offersFor([product], {});
    expect(offers.map(({ tierName, premium, coverages }) => [tierName, premium, coverages[0]?.name])).toEqual([
      ['Basic', '110.00', 'Fire'],
      ['Gold', '901.00', 'All'],
    ]);
  });

  test('is offered without a tier that cannot be priced', () => {
    const rate = { field: 'value', percent: '1' };
    const tiers = [tier('Gold', '900.00', { rating: { rate } }), tier('Basic', '100.00')];
    const offered = [offeredProduct(1, { tiers })];
    expect(offersFor(offered, {}).map(({ tierName }) => tierName)).toEqual(['Basic']);
    expect(offersFor(offered, { value: 1 })).toHaveLength(2);
  });
});

describe('Preferences', () => {
  const products = [
    offeredProduct(1, { coverages: [coverage('Fire', 'Property', '100.00'), coverage('Theft')] }),
    offeredProduct(2, { coverages: [coverage('Theft', 'Damages')], basePremium: '6000.00' }),
    offeredProduct(3, { basePremium: '7000.00' }),
  ];

  test.each([
    [{}, [1, 2, 3]],
    [{ coverage_type: [] }, [1, 2, 3]],
    [{ coverage_type: ['PROPERTY', 'Travel'] }, [1]],
    [{ coverage_type: ['Property', 'Damages'] }, [1, 2]],
    [{ coverage_amount: '100' }, [1]],
    [{ coverage_amount: 100.01 }, []],
    [{ coverage_amount: 0 }, [1]],
    [{ additional_coverages: ['theft'] }, [1, 2]],
    [{ additional_coverages: ['Theft', 'Fire'] }, [1]],
  ])('%j select the products %j', (preferences, expected) => {
    const names = offersFor(products, {}, preferences).map(({ productName }) => productName);
    expect(names).toEqual(expected.map((number) => `Product ${number}`));
  });
});

describe('More offers than an event can hold', () => {
  test('are limited to the cheapest 1024', () => {
    const tiers = Array.from({ length: 50 }, (_, index) => tier(`T${index}`, `${100 - index}.00`));
    const products = Array.from({ length: 30 }, (_, number) => offeredProduct(number, { tiers, description: 'x' }));
    const offers = offersFor(products, {});
    expect(offers).toHaveLength(MAX_OFFERS);
    expect([offers[0]?.premium, offers.at(-1)?.premium]).toEqual(['51.00', '85.00']);
  });

  test('are limited to the cheapest ones that fit by size', () => {
    const products = Array.from({ length: 100 }, (_, number) =>
      offeredProduct(number, { description: 'Ω'.repeat(5_000), basePremium: `${1000 - number}.00` }),
    );
    const offers = offersFor(products, {});
    expect(Buffer.byteLength(JSON.stringify(offers))).toBeLessThan(750_000);
    expect(offers.length).toBeGreaterThan(60);
    expect(offers[0]?.premium).toBe('901.00');
  });
});

describe('Products that accept only some risks', () => {
  const withRules = (options: object, refused: object = {}) =>
    offeredProduct(1, { acceptanceRules: { options, refused } as ProductState['acceptanceRules'] });
  const accepts = (product: ReturnType<typeof withRules>, risk: object) =>
    offersFor([product], risk as Record<string, unknown>).length === 1;

  test.each([
    [{ use: ['Private', 'Hire'] }, {}, { use: 'private' }, true],
    [{ use: ['Private'] }, {}, { use: 'Commercial' }, false],
    [{ use: ['Private'] }, {}, {}, true],
    [{ use: ['Private'] }, {}, { use: null }, true],
    [{ use: ['Private'] }, {}, { use: ['Private'] }, false],
    [{}, { make: ['Ferrari'] }, { make: ' FERRARI' }, false],
    [{}, { make: ['Ferrari'] }, { make: 'Fiat' }, true],
    [{}, { abroad: [false] }, { abroad: false }, false],
    [{}, { year: [1999] }, { year: '1999.0' }, false],
  ])('with options %j and refused %j accept %j: %p', (options, refused, risk, accepted) => {
    expect(accepts(withRules(options, refused), risk)).toBe(accepted);
  });

  test('are named with every field and its accepted values', () => {
    const products = [withRules({ use: ['Private', 'Hire'] }), withRules({}, { make: ['Ferrari'] })];
    const faults = refusedByAll(
      products.map(({ product }) => product),
      { use: 'Race', make: 'Ferrari' },
    );
    expect(faults).toEqual([
      {
        field: 'insurance_details.additional_information.use',
        message: 'is a value that no product on sale accepts; accepted are Private, Hire',
      },
      {
        field: 'insurance_details.additional_information.make',
        message: 'is a value that no product on sale accepts',
      },
    ]);
  });

  test('give no error when one accepts the risk or there are none', () => {
    const products = [withRules({ use: ['Private'] }), withRules({})].map(({ product }) => product);
    expect(refusedByAll(products, { use: 'Race' })).toEqual([]);
    expect(refusedByAll([], { use: 'Race' })).toEqual([]);
  });
});
