import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  canonicalMoney,
  divideHalfUp,
  formatMoney,
  hasTwoDecimals,
  moneyInput,
  moneyNotNegativeInput,
  parseMoney,
  storedMoney,
  sumOf,
  sumOfKnown,
} from './money.ts';

/** The largest amount that the API allows. */
const MAX_MINOR = 99_999_999_99n;
const minor = fc.bigInt({ min: -MAX_MINOR, max: MAX_MINOR });

describe('amounts', () => {
  test('are the same after formatting and parsing, in a form that can be stored', () => {
    fc.assert(
      fc.property(minor, (amount) => {
        const text = formatMoney(amount);
        expect(parseMoney(text)).toBe(amount);
        expect(storedMoney.safeParse(text).success).toBe(true);
        expect(moneyInput.safeParse(text).success).toBe(true);
      }),
    );
  });

  test.each([
    ['0', '0.00'],
    ['144.1', '144.10'],
    ['007', '7.00'],
    ['-0.5', '-0.50'],
    ['99999999.99', '99999999.99'],
  ])('such as %s are stored as %s', (given, stored) => {
    expect(canonicalMoney(given)).toBe(stored);
  });

  test.each(['', '.5', '1.', '1.005', '123456789', '1e3', '+1', ' 1', '1,5', 'NaN', '--1', '٣'])(
    'are not written %p',
    (text) => {
      expect(() => parseMoney(text)).toThrow(RangeError);
      expect(moneyInput.safeParse(text).success).toBe(false);
    },
  );

  test('cannot be negative where that is required', () => {
    expect(moneyNotNegativeInput.safeParse('0').success).toBe(true);
    expect(moneyNotNegativeInput.safeParse('-0.01').success).toBe(false);
  });

  test.each([
    [1n, 2n, 1n],
    [-1n, 2n, -1n],
    [1n, 3n, 0n],
    [2n, 3n, 1n],
    [-2n, 3n, -1n],
    [5n, 2n, 3n],
  ])('%s divided by %s, rounded half away from zero, is %s', (numerator, denominator, quotient) => {
    expect(divideHalfUp(numerator, denominator)).toBe(quotient);
  });

  test('are at most half a unit off after a division', () => {
    fc.assert(
      fc.property(minor, fc.bigInt({ min: 1n, max: 10_000n }), (numerator, denominator) => {
        const off = 2n * (divideHalfUp(numerator, denominator) * denominator - numerator);
        expect(off <= denominator && off >= -denominator).toBe(true);
      }),
    );
  });
});

test('a sum of what is known is unknown only where nothing is known', () => {
  expect([sumOfKnown([]), sumOfKnown([null]), sumOfKnown([null, '1.50'])]).toEqual(['0.00', null, '1.50']);
  expect(sumOf(['99999999.99', '0.01'])).toBe('100000000.00');
});

test.each(['NGN', 'GHS', 'EUR', 'USD', 'ZWG', 'AED'])('%s has two decimals', (code) => {
  expect(hasTwoDecimals(code)).toBe(true);
});

test.each([
  ['without decimals', 'JPY'],
  ['without decimals', 'XOF'],
  ['with three decimals', 'KWD'],
  ['with four decimals', 'CLF'],
  ['that is no currency', 'XXX'],
  ['of a metal', 'XAU'],
  ['that no country uses', 'ABC'],
  ['in small letters', 'ngn'],
  ['of no letters', ''],
])('a code %s, %p, does not', (_kind, code) => {
  expect(hasTwoDecimals(code)).toBe(false);
});
