import { describe, expect, test } from '@jest/globals';
import type { ProductState } from '#domain/product/product.ts';
import type { Rating } from '#domain/values/rating.ts';
import { MAX_OFFERS } from '#domain/quote/quote-code.ts';
import type { OfferedProduct } from '../services.ts';
import { offeredProduct } from '#test/support/offered-products.ts';
import type { Applicant } from './acceptance-rules.ts';
import { type OfferRequest, offeringFor } from './offers.ts';

const TODAY = '2026-03-01';

const applicant = (risk: object, birthDate: string | null = null): Applicant => ({
  risk: risk as Applicant['risk'],
  birthDate,
  today: TODAY,
});

/** Returns what products answer for a risk of an unknown customer. */
const offering = (products: readonly OfferedProduct[], risk: object = {}, more: Partial<OfferRequest> = {}) =>
  offeringFor(products, { ...applicant(risk), ...more });
const offers = (...request: Parameters<typeof offering>) => offering(...request).offers;
const reasons = (...request: Parameters<typeof offering>) =>
  offering(...request).notOffered.map((product) => product.reasons);
const inRisk = (field: string) => `insurance_details.additional_information.${field}`;

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
    const use = 'is a value that the product does not accept; accepted are Private, Hire';
    const make = 'is a value that the product does not accept';
    expect(reasons(products, { use: 'Race', make: 'Ferrari' })).toEqual([
      [{ code: 'refused', field: inRisk('use'), message: use }],
      [{ code: 'refused', field: inRisk('make'), message: make }],
    ]);
    expect(offering(products, { use: 'Race', make: 'Ferrari' }).wrongFields).toEqual([]);
  });

  test('name the accepted values in a message of limited length', () => {
    const values = [...Array.from({ length: 30 }, (_, index) => `value ${index}`), 'x'.repeat(1000)];
    const [[reason] = []] = reasons([withRules({ use: values })], { use: 'Race' });
    expect(reason?.message).toMatch(/ accepted are value 0, .*, value 19, …$/);
  });
});

describe('Products that accept only some ages', () => {
  const between = (minAge: number | null, maxAge: number | null) =>
    offeredProduct(1, { eligibility: { minAge, maxAge } });
  const field = 'customer_metadata.date_of_birth';

  test.each([
    ['2008-03-01', 1],
    ['2008-03-02', 0],
    ['1955-03-02', 1],
    ['1955-03-01', 0],
    ['2008-02-29', 1],
    [null, 0],
  ])('make as many offers from 18 to 70 for a birth on %s: %i', (birthDate, expected) => {
    expect(offers([between(18, 70)], {}, { birthDate })).toHaveLength(expected);
  });

  test('are named with the accepted ages', () => {
    const message = 'is of an age that is not accepted: the product accepts the ages 18 to 70';
    expect(reasons([between(18, 70), between(null, 14)], {}, { birthDate: '2012-01-01' })).toEqual([
      [{ code: 'not_eligible', field, message }],
    ]);
  });

  test('cannot be bought without a date of birth, which they name', () => {
    const message = 'must be given: the product accepts the ages from 18';
    const missing = { code: 'field_missing', field, message };
    const products = [between(18, null), between(null, null)];
    expect(offering(products)).toMatchObject({ offers: [{}], notOffered: [{ reasons: [missing] }], wrongFields: [] });
    expect(offering(products.slice(0, 1)).wrongFields).toEqual([{ field, message }]);
  });
});

describe('A product whose rating reads the risk', () => {
  const loading = (condition: object): Rating => ({
    loadings: [{ field: 'value', percent: '80', label: 'more', ...condition }],
  });
  const rated = (rating: Rating) => [offeredProduct(1, { basePremium: '100.00', rating })];
  const RATE: Rating = { rate: { field: 'value', percent: '1' } };

  test.each([
    ['a rate', RATE, 'nine', 'field_invalid', 'a number or decimal string, not negative'],
    ['a rate', RATE, '1e6', 'field_invalid', 'a number or decimal string, not negative'],
    ['a rate', RATE, -1, 'field_invalid', 'a number or decimal string, not negative'],
    ['a bound', loading({ at_least: '8' }), 'nine', 'field_invalid', 'a number or decimal string'],
    ['a bound', loading({ below: '8' }), [9], 'field_invalid', 'a number or decimal string'],
    ['a number', loading({ equals: 9 }), 'nine', 'field_invalid', 'a number or decimal string'],
    ['a boolean', loading({ equals: true }), 'yes', 'field_invalid', 'true or false'],
    ['a text', loading({ equals: 'dog' }), { kind: 'dog' }, 'field_invalid', 'a text'],
    ['a rate', RATE, undefined, 'field_missing', undefined],
    ['a bound', loading({ at_least: '8' }), null, 'field_missing', undefined],
    ['a number', loading({ equals: 9 }), ' ', 'field_missing', undefined],
    ['a boolean', loading({ equals: true }), '', 'field_missing', undefined],
    ['a text', loading({ equals: 'dog' }), '\u200b', 'field_missing', undefined],
  ])('as %s makes no offer (%j) for the value %j: %s', (_kind, rating, value, code, needed) => {
    const message = `must be ${needed ?? 'given'}: the price of the product depends on it`;
    const answer = offering(rated(rating), { value });
    expect(answer).toMatchObject({
      offers: [],
      notOffered: [{ reasons: [{ code, field: inRisk('value'), message }] }],
    });
    expect(answer.wrongFields).toEqual([{ field: inRisk('value'), message }]);
  });

  test.each([
    [RATE, '9', '100.09'],
    [RATE, 0, '100.00'],
    [loading({ at_least: '8' }), '9.0', '180.00'],
    [loading({ at_least: '8' }), -9, '100.00'],
    [loading({ equals: 9 }), '9', '180.00'],
    [loading({ equals: true }), 'true', '180.00'],
    [loading({ equals: true }), false, '100.00'],
    [loading({ equals: 'dog' }), 'Dog ', '180.00'],
    [loading({ equals: 'dog' }), 7, '100.00'],
  ])('%j prices the value %j: %s', (rating, value, premium) => {
    expect(offers(rated(rating), { value })).toMatchObject([{ premium }]);
  });

  test('names each field once, of all its tiers and rules, and nothing where one tier makes an offer', () => {
    const tiers = [tier('A', '1.00', { rating: loading({ equals: 9 }) }), tier('B', '1.00', { rating: RATE })];
    const product = offeredProduct(1, { tiers, eligibility: { minAge: 18, maxAge: null } });
    expect(reasons([product])[0]?.map(({ code, field }) => `${code} ${field}`)).toEqual([
      'field_missing customer_metadata.date_of_birth',
      `field_missing ${inRisk('value')}`,
    ]);
    const one = offeredProduct(1, { tiers: [...tiers, tier('C', '1.00')] });
    expect(offering([one])).toMatchObject({ offers: [{ tierName: 'C' }], notOffered: [] });
  });

  test('is not offered with its price as the reason', () => {
    const off = loading({ equals: 1, percent: undefined, amount: '-100.01' });
    expect(reasons([...rated(off), ...rated(RATE)], { value: 1 })).toMatchObject([
      [{ code: 'not_rated', field: null }],
    ]);
    expect(reasons(rated(RATE), { value: 1e30 })).toMatchObject([[{ code: 'premium_out_of_range', field: null }]]);
  });

  test('lets the request be corrected by the fields of the oldest product, while all name a field', () => {
    const ofAge = offeredProduct(2, { eligibility: { minAge: 18, maxAge: null } });
    expect(offering([...rated(RATE), ofAge]).wrongFields.map(({ field }) => field)).toEqual([inRisk('value')]);
    const acceptanceRules = { options: {}, refused: { make: ['Fiat'] } };
    const risk = { make: 'Fiat' };
    expect(offering([...rated(RATE), offeredProduct(3, { acceptanceRules })], risk).wrongFields).toEqual([]);
    expect(offering([]).wrongFields).toEqual([]);
  });

  test('is among the listed as long as an event can hold them', () => {
    const products = Array.from({ length: 2_000 }, (_, number) => offeredProduct(number, { rating: RATE }));
    const { notOffered, wrongFields } = offering(products);
    expect(Buffer.byteLength(JSON.stringify(notOffered))).toBeLessThan(152_000);
    expect(notOffered.length).toBeGreaterThan(400);
    expect(wrongFields).toHaveLength(1);
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
