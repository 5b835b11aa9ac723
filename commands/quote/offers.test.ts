import { describe, expect, test } from '@jest/globals';
import type { ProductState } from '../../src/domain/product/product.ts';
import type { Rating } from '../../src/domain/values/rating.ts';
import { MAX_OFFERS } from '../../src/domain/quote/quote-code.ts';
import type { OfferedProduct } from '../services.ts';
import { offeredProduct } from '../../test/support/offered-products.ts';
import { type Applicant, refusedByAll } from './acceptance-rules.ts';
import { type OfferRequest, offersFor } from './offers.ts';

const TODAY = '2026-03-01';

const applicant = (risk: object, birthDate: string | null = null): Applicant => ({
  risk: risk as Applicant['risk'],
  birthDate,
  today: TODAY,
});

/** Returns the offers for a risk of an unknown customer. */
const offers = (products: readonly OfferedProduct[], risk: object = {}, more: Partial<OfferRequest> = {}) =>
  offersFor(products, { ...applicant(risk), ...more });

const coverage = (name: string, type: string | null = null, limit: string | null = null) => ({
  coverageId: 'COV_1',
  name,
  description: null,
  type,
  limit,
  deductible: null,
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
    const byTier = offers([product]);
    expect(byTier.map(({ tierName, premium, coverages }) => [tierName, premium, coverages[0]?.name])).toEqual([
      ['Basic', '110.00', 'Fire'],
      ['Gold', '901.00', 'All'],
    ]);
  });

  test('is offered without a tier that cannot be priced', () => {
    const rate = { field: 'value', percent: '1' };
    const tiers = [tier('Gold', '900.00', { rating: { rate } }), tier('Basic', '100.00')];
    const offered = [offeredProduct(1, { tiers })];
    expect(offers(offered).map(({ tierName }) => tierName)).toEqual(['Basic']);
    expect(offers(offered, { value: 1 })).toHaveLength(2);
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
    const names = offers(products, {}, { preferences }).map(({ productName }) => productName);
    expect(names).toEqual(expected.map((number) => `Product ${number}`));
  });
});

describe('More offers than an event can hold', () => {
  test('are limited to the cheapest 1024', () => {
    const tiers = Array.from({ length: 50 }, (_, index) => tier(`T${index}`, `${100 - index}.00`));
    const products = Array.from({ length: 30 }, (_, number) => offeredProduct(number, { tiers, description: 'x' }));
    const kept = offers(products);
    expect(kept).toHaveLength(MAX_OFFERS);
    expect([kept[0]?.premium, kept.at(-1)?.premium]).toEqual(['51.00', '85.00']);
  });

  test('are limited to the cheapest ones that fit by size', () => {
    const products = Array.from({ length: 100 }, (_, number) =>
      offeredProduct(number, { description: 'Ω'.repeat(5_000), basePremium: `${1000 - number}.00` }),
    );
    const kept = offers(products);
    expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThan(750_000);
    expect(kept.length).toBeGreaterThan(60);
    expect(kept[0]?.premium).toBe('901.00');
  });
});

describe('Products that accept only some risks', () => {
  const withRules = (options: object, refused: object = {}) =>
    offeredProduct(1, { acceptanceRules: { options, refused } as ProductState['acceptanceRules'] });
  const accepts = (product: ReturnType<typeof withRules>, risk: object) => offers([product], risk).length === 1;

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
      applicant({ use: 'Race', make: 'Ferrari' }),
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
    expect(refusedByAll(products, applicant({ use: 'Race' }))).toEqual([]);
    expect(refusedByAll([], applicant({ use: 'Race' }))).toEqual([]);
  });
});

describe('Products that accept only some ages', () => {
  const between = (minAge: number | null, maxAge: number | null) =>
    offeredProduct(1, { eligibility: { minAge, maxAge } });
  const errors = (products: readonly OfferedProduct[], birthDate: string | null) =>
    refusedByAll(
      products.map(({ product }) => product),
      applicant({}, birthDate),
    );

  test.each([
    ['2008-03-01', 1],
    ['2008-03-02', 0],
    ['1955-03-02', 1],
    ['1955-03-01', 0],
    ['2008-02-29', 1],
    [null, 1],
  ])('make as many offers from 18 to 70 for a birth on %s: %i', (birthDate, expected) => {
    expect(offers([between(18, 70)], {}, { birthDate })).toHaveLength(expected);
  });

  test('are named with the accepted ages when all refuse, each for its reason', () => {
    const field = 'customer_metadata.date_of_birth';
    const message = 'is of an age that no product on sale accepts; accepted are the ages from 18, to 10, 18 to 70';
    const all = [between(18, null), between(null, 10), between(18, 70)];
    expect(errors(all, '2012-01-01')).toEqual([{ field, message }]);
    expect(errors([...all, between(null, 14)], '2012-01-01')).toEqual([]);
    expect(errors(all, null)).toEqual([]);
  });
});

describe('An offer for a duration', () => {
  const rated = (basePremium: string, rating: Rating) => [offeredProduct(1, { basePremium, rating })];
  const priceOf = (products: readonly OfferedProduct[], days: number | undefined, risk: object = {}) =>
    offers(products, risk, { days }).map(({ premium, price }) => ({ premium, ...price }));

  /** The example of the rules. */
  const example = rated('5000.00', {
    rate: { field: 'vehicle_value', percent: '1.5' },
    loadings: [{ field: 'vehicle_usage', equals: 'Commercial', percent: '20', label: 'commercial use' }],
    discount_percent: '5',
    surcharge: '500.00',
    tax_percent: '7.5',
    commission_percent: '10',
  });
  const risk = { vehicle_value: 2_000_000, vehicle_usage: 'Commercial' };

  test('has the price of the days, with the fee whole', () => {
    const year = {
      amount: '42000.00',
      discount: '2100.00',
      surcharges: '500.00',
      tax: '3030.00',
      commission: '3990.00',
    };
    expect(priceOf(example, undefined, risk)).toEqual([{ premium: '43430.00', ...year }]);
    expect(priceOf(example, 365, risk)).toEqual(priceOf(example, undefined, risk));
    const days = { amount: '8400.00', discount: '420.00', surcharges: '500.00', tax: '636.00', commission: '798.00' };
    expect(priceOf(example, 73, risk)).toEqual([{ premium: '9116.00', ...days }]);
  });

  test('keeps the annual net price and the rates', () => {
    expect(offers(example, risk, { days: 73 })).toMatchObject([
      {
        basePrice: '35000.00',
        annualNet: '39900.00',
        rates: { fee: '500.00', minimum: '0.00', taxRate: '7.5/100', commissionRate: '10/100' },
      },
    ]);
  });

  test.each([1, 30, 364, 365, undefined])(
    'of %p days costs the minimum where that is larger, without discount',
    (days) => {
      const minimum = { minimum_premium: '500.00', surcharge: '50.00', tax_percent: '20', discount_percent: '10' };
      expect(priceOf(rated('10.00', minimum), days)).toEqual([
        {
          premium: '660.00',
          amount: '500.00',
          discount: '0.00',
          surcharges: '50.00',
          tax: '110.00',
          commission: '0.00',
        },
      ]);
    },
  );

  test('shows the discount where the minimum is the price of the days', () => {
    const rating = { minimum_premium: '90.00', discount_percent: '10' };
    expect(priceOf(rated('100.00', rating), 365)).toMatchObject([{ amount: '100.00', discount: '10.00' }]);
    expect(priceOf(rated('100.00', rating), 364)).toMatchObject([{ amount: '90.00', discount: '0.00' }]);
  });

  test('is made while its premium has at most 8 integer digits, whatever a year costs', () => {
    const rate = { rate: { field: 'value', percent: '100' } };
    const premiums = (value: unknown, days: number) => priceOf(rated('0.00', rate), days, { value });
    expect(premiums('99999999.99', 365)).toMatchObject([{ premium: '99999999.99' }]);
    expect(premiums('100000000.00', 365)).toEqual([]);
    expect(premiums('100000000.00', 73)).toMatchObject([{ premium: '20000000.00' }]);
    expect(premiums(1e30, 1)).toEqual([]);
  });

  test('is not made when an annual amount cannot be stored', () => {
    const free = { rate: { field: 'value', percent: '100' }, discount_percent: '100' };
    const made = (value: unknown) => priceOf(rated('0.00', free), 1, { value });
    expect(made('999999999999999999')).toMatchObject([{ premium: '0.00', discount: '2739726027397260.27' }]);
    expect(made('1000000000000000000')).toEqual([]);
  });

  test('is not made for a loaded price below 0.00', () => {
    const off = (amount: string): Rating => ({
      loadings: [{ field: 'safe', equals: true, amount, label: 'safe' }],
      minimum_premium: '80',
    });
    expect(priceOf(rated('10.00', off('-10.00')), 365, { safe: true })).toMatchObject([{ premium: '80.00' }]);
    expect(priceOf(rated('10.00', off('-10.01')), 365, { safe: true })).toEqual([]);
  });
});
