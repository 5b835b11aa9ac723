import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { storedMoney } from './money.ts';
import { type PremiumParts, premiumOf } from './premium.ts';
import type { Rating } from './rating.ts';

/** Example of the decisions, Rating. */
const RATING: Rating = {
  rate: { field: 'vehicle_value', percent: '1.5' },
  loadings: [{ field: 'vehicle_usage', equals: 'Commercial', percent: '20', label: 'commercial use' }],
  discount_percent: '5',
  surcharge: '500.00',
  tax_percent: '7.5',
  commission_percent: '10',
};
const RISK = { vehicle_value: 2_000_000, vehicle_usage: 'Commercial' };

/** Premium of 1000.00 and these loadings; every loading that applies adds its amount. */
function premiumWith(loading: Partial<NonNullable<Rating['loadings']>[number]>, value: unknown): string | undefined {
  const loadings = [{ field: 'value', amount: '1.00', label: 'more', ...loading }];
  return premiumOf('1000.00', { loadings }, value === undefined ? {} : { value })?.premium;
}

describe('the documented example', () => {
  test.each([2_000_000, '2000000', '2000000.00'])('has its price for the value %p', (vehicle_value) => {
    expect(premiumOf('5000.00', RATING, { ...RISK, vehicle_value })).toEqual({
      basePrice: '35000.00',
      premium: '43430.00',
      amount: '42000.00',
      discount: '2100.00',
      surcharges: '500.00',
      commission: '3990.00',
      tax: '3030.00',
    });
  });

  test.each([undefined, null, 'much', true, [2_000_000], {}, '', '1e6'])(
    "has no price when the rate's field is %p",
    (vehicle_value) => {
      expect(premiumOf('5000.00', RATING, { ...RISK, vehicle_value })).toBeUndefined();
    },
  );

  test.each([
    [66_000_000, undefined],
    [1e30, undefined],
    [-66_000_000, undefined],
    [1e-7, '6665.00'],
  ])('for the value %p has the premium %p: no price has more than 8 integer digits', (vehicle_value, premium) => {
    const rating = { ...RATING, rate: { field: 'vehicle_value', percent: '150' } };
    expect(premiumOf('5000.00', rating, { ...RISK, vehicle_value })?.premium).toBe(premium);
  });

  test('ignores inherited members of the risk', () => {
    expect(premiumOf('5.00', { rate: { field: 'constructor', percent: '1' } }, {})).toBeUndefined();
  });
});

describe('a product without a rating', () => {
  test('costs the base premium', () => {
    expect(premiumOf('10.10', null, {})).toEqual({
      basePrice: '10.10',
      premium: '10.10',
      amount: '10.10',
      discount: '0.00',
      surcharges: '0.00',
      commission: '0.00',
      tax: '0.00',
    });
  });
});

describe('a minimum premium', () => {
  test('replaces a lower net price, before surcharge and tax', () => {
    const rating = { discount_percent: '50', minimum_premium: '80', surcharge: '1', tax_percent: '10' };
    expect(premiumOf('100.00', rating, {})).toMatchObject({ premium: '89.10', discount: '50.00', amount: '130.00' });
    expect(premiumOf('200.00', rating, {})).toMatchObject({ premium: '111.10', discount: '100.00', amount: '200.00' });
  });
});

describe('amounts at the limits', () => {
  test.each([
    ['-10.00', '0.00'],
    ['-10.01', undefined],
  ])('with a surcharge of %s on 10.00 give the premium %p: no premium is negative', (surcharge, premium) => {
    expect(premiumOf('10.00', { surcharge }, {})?.premium).toBe(premium);
  });

  test('can be the premium', () => {
    expect(premiumOf('99999999.99', null, {})?.premium).toBe('99999999.99');
  });

  test.each([
    ['0.01', '-99999999.99'],
    ['0.00', undefined],
  ])('with a rate of -100000000.00 on %s give the base price %p', (base, basePrice) => {
    const rating = { rate: { field: 'value', percent: '-100' }, minimum_premium: '80' };
    expect(premiumOf(base, rating, { value: 100_000_000 })?.basePrice).toBe(basePrice);
  });
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
    expect(premiumWith(condition, value)).toBe(applies ? '1001.00' : '1000.00');
  });
});

/** Six decimals of any percent, as `rating` takes them. */
const percentUpTo = (most: number) => fc.integer({ min: 0, max: most * 1_000_000 });
const textOf = (units: number, decimals: number) => {
  const digits = String(units).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};

describe('any product and risk', () => {
  const risk = fc.record({
    base: fc.nat({ max: 10_000_000 }),
    value: fc.nat({ max: 1_000_000_000 }),
    rate: percentUpTo(20),
    loading: percentUpTo(100),
    amount: fc.nat({ max: 1_000_000 }),
    discount: percentUpTo(100),
    minimum: fc.nat({ max: 1_000_000 }),
    surcharge: fc.nat({ max: 100_000 }),
    tax: percentUpTo(50),
    commission: percentUpTo(100),
  });

  test('have the price of the four steps computed in hundred-millionths', () => {
    fc.assert(
      fc.property(risk, (r) => {
        const rating: Rating = {
          rate: { field: 'value', percent: textOf(r.rate, 6) },
          loadings: [
            { field: 'value', at_least: '0', percent: textOf(r.loading, 6), label: 'a share' },
            { field: 'value', at_least: '0', amount: textOf(r.amount, 2), label: 'an amount' },
          ],
          discount_percent: textOf(r.discount, 6),
          minimum_premium: textOf(r.minimum, 2),
          surcharge: textOf(r.surcharge, 2),
          tax_percent: textOf(r.tax, 6),
          commission_percent: textOf(r.commission, 6),
        };
        const priced = premiumOf(textOf(r.base, 2), rating, { value: textOf(r.value, 2) });
        expect(priced).toEqual(independently(r));
      }),
      { numRuns: 500 },
    );
  });

  test('have parts that can be stored and add up', () => {
    const signed = fc
      .integer({ min: -2_000_000, max: 2_000_000 })
      .map((n) => `${n < 0 ? '-' : ''}${textOf(Math.abs(n), 2)}`);
    fc.assert(
      fc.property(signed, signed, signed, signed, (base, surcharge, discount_percent, tax_percent) => {
        const priced = premiumOf(base, { surcharge, discount_percent, tax_percent }, {});
        if (priced === undefined) return;
        for (const part of Object.values(priced)) expect(storedMoney.safeParse(part).success).toBe(true);
        const [net, extra, tax] = [minor(priced.amount) - minor(priced.discount), minor(surcharge), minor(priced.tax)];
        expect(net + extra + tax).toBe(minor(priced.premium));
      }),
    );
  });
});

const minor = (text: string): number => Math.round(Number(text) * 100);

/** The steps in units of 10^-8 (minor units × percent × 10^-6), every one rounded up from its half; nothing is negative. */
function independently(
  r: {
    [Name in
      | 'base'
      | 'value'
      | 'rate'
      | 'loading'
      | 'amount'
      | 'discount'
      | 'minimum'
      | 'surcharge'
      | 'tax'
      | 'commission']: number;
  },
): PremiumParts {
  const big = (n: number) => BigInt(n);
  const whole = 100_000_000n;
  const round = (units: bigint) => (units + whole / 2n) / whole;
  const basePrice = round(big(r.base) * whole + big(r.value) * big(r.rate));
  const loaded = round(basePrice * whole + basePrice * big(r.loading) + big(r.amount) * whole);
  const discounted = round(loaded * whole - loaded * big(r.discount));
  const net = discounted > big(r.minimum) ? discounted : big(r.minimum);
  const before = net + big(r.surcharge);
  const premium = round(before * whole + before * big(r.tax));
  const text = (units: bigint) => textOf(Number(units), 2);
  return {
    basePrice: text(basePrice),
    premium: text(premium),
    amount: text(net + loaded - discounted),
    discount: text(loaded - discounted),
    surcharges: textOf(r.surcharge, 2),
    commission: text(round(net * big(r.commission))),
    tax: text(premium - before),
  };
}
