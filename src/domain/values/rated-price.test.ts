import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { ratedPrice, type RatedPrice } from './rated-price.ts';
import type { Rating } from './rating.ts';

/** The example of the rules. */
const RATING: Rating = {
  rate: { field: 'vehicle_value', percent: '1.5' },
  loadings: [{ field: 'vehicle_usage', equals: 'Commercial', percent: '20', label: 'commercial use' }],
  discount_percent: '5',
};
const RISK = { vehicle_value: 2_000_000, vehicle_usage: 'Commercial' };

/** Annual net price of 1000.00 with these loadings; one that applies adds its amount. */
function annualNetWith(loading: Partial<NonNullable<Rating['loadings']>[number]>, value: unknown): bigint | undefined {
  const loadings = [{ field: 'value', amount: '1.00', label: 'more', ...loading }];
  return ratedPrice('1000.00', { loadings }, value === undefined ? {} : { value })?.annualNet;
}

describe('the documented example', () => {
  test.each([2_000_000, '2000000', '2000000.00'])('has its price for the value %p', (vehicle_value) => {
    expect(ratedPrice('5000.00', RATING, { ...RISK, vehicle_value })).toEqual({
      basePrice: 35_000_00n,
      discount: 2_100_00n,
      annualNet: 39_900_00n,
    });
  });

  test.each([undefined, null, 'much', true, [2_000_000], {}, '', '1e6'])(
    "has no price when the rate's field is %p",
    (vehicle_value) => {
      expect(ratedPrice('5000.00', RATING, { ...RISK, vehicle_value })).toBeUndefined();
    },
  );

  test.each([
    [1e30, 1_500_000_000_000_000_000_000_000_500_000n],
    [1e-7, 5000_00n],
    ['-333333.33', 0n],
  ])('has for the value %p the exact base price %p', (vehicle_value, basePrice) => {
    const rating = { rate: { field: 'vehicle_value', percent: '1.5' } };
    expect(ratedPrice('5000.00', rating, { vehicle_value })?.basePrice).toBe(basePrice);
  });

  test('ignores inherited members of the risk', () => {
    expect(ratedPrice('5.00', { rate: { field: 'constructor', percent: '1' } }, {})).toBeUndefined();
  });
});

test('a product without a rating costs the base premium', () => {
  expect(ratedPrice('10.10', null, {})).toEqual({ basePrice: 10_10n, discount: 0n, annualNet: 10_10n });
});

test('a loaded price below 0.00 is none', () => {
  expect(annualNetWith({ at_least: '0', amount: '-1000.00' }, 1)).toBe(0n);
  expect(annualNetWith({ at_least: '0', amount: '-1000.01' }, 1)).toBeUndefined();
});

test('loadings are rounded once, as a sum', () => {
  const loading = { field: 'value', at_least: '0', percent: '0.5', label: 'half' };
  expect(ratedPrice('1.00', { loadings: [loading, loading] }, { value: 1 })?.annualNet).toBe(1_01n);
});

describe('a loading', () => {
  test.each([
    [{ equals: 'Commercial' }, 'Commercial', true],
    [{ equals: 'Commercial' }, 'commercial ', true],
    [{ equals: 'Commercial' }, 'Private', false],
    [{ equals: 5 }, '5.00', true],
    [{ equals: '5' }, 5, true],
    [{ equals: true }, true, true],
    [{ equals: true }, 'true', true],
    [{ equals: false }, undefined, false],
    [{ at_least: '10' }, 10, true],
    [{ at_least: '10' }, '9.99', false],
    [{ at_least: '10' }, 'many', false],
    [{ below: '10' }, '9.99', true],
    [{ below: '10' }, 10, false],
    [{ below: '10' }, undefined, false],
    [{ below: '10' }, null, false],
    [{ below: '10' }, 'few', false],
    [{ at_least: '10', below: '20' }, 15, true],
    [{ at_least: '10', below: '20' }, 20, false],
    [{ at_least: '10', below: '20', equals: 15 }, 15, true],
    [{ at_least: '10', below: '20', equals: 15 }, 16, false],
  ])('with the condition %j applies to the value %p: %p', (condition, value, applies) => {
    expect(annualNetWith(condition, value)).toBe(applies ? 1001_00n : 1000_00n);
  });
});

/** Six decimals of any percent, as `rating` takes them. */
const percentUpTo = (most: number) => fc.integer({ min: 0, max: most * 1_000_000 });
const textOf = (units: number, decimals: number) => {
  const digits = String(units).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};

const anyRisk = fc.record({
  base: fc.nat({ max: 10_000_000 }),
  value: fc.nat({ max: 1_000_000_000 }),
  rate: percentUpTo(20),
  loading: percentUpTo(1000),
  amount: fc.nat({ max: 1_000_000 }),
  discount: percentUpTo(100),
});
type AnyRisk = typeof anyRisk extends fc.Arbitrary<infer Risk> ? Risk : never;

test('any product and risk have the price of the steps computed in hundred-millionths', () => {
  fc.assert(
    fc.property(anyRisk, (r) => {
      const rating: Rating = {
        rate: { field: 'value', percent: textOf(r.rate, 6) },
        loadings: [
          { field: 'value', at_least: '0', percent: textOf(r.loading, 6), label: 'a share' },
          { field: 'value', at_least: '0', amount: textOf(r.amount, 2), label: 'an amount' },
        ],
        discount_percent: textOf(r.discount, 6),
      };
      expect(ratedPrice(textOf(r.base, 2), rating, { value: textOf(r.value, 2) })).toEqual(independently(r));
    }),
    { numRuns: 500 },
  );
});

/**
 * The steps in units of 10^-8 (minor units × percent × 10^-6), every one rounded up from its half; nothing is negative.
 */
function independently(r: AnyRisk): RatedPrice {
  const whole = 100_000_000n;
  const round = (units: bigint) => (units + whole / 2n) / whole;
  const basePrice = round(BigInt(r.base) * whole + BigInt(r.value) * BigInt(r.rate));
  const loaded = round(basePrice * whole + basePrice * BigInt(r.loading) + BigInt(r.amount) * whole);
  const discount = round(loaded * BigInt(r.discount));
  return { basePrice, discount, annualNet: loaded - discount };
}
