import { describe, expect, test } from '@jest/globals';
import { compareDecimals, decimalOf, isSameValue, riskDetail } from './risk-values.ts';

describe('decimalOf', () => {
  test.each<[unknown, bigint, number]>([
    [12, 12n, 0],
    ['12.50', 1250n, 2],
    [-0.25, -25n, 2],
    [1e21, 10n ** 21n, 0],
    [1.5e21, 15n * 10n ** 20n, 0],
    [2.5e-7, 25n, 8],
  ])('parses %p as %p with %p decimals', (value, digits, scale) => {
    expect(decimalOf(value)).toEqual({ digits, scale });
  });

  test.each<unknown>(['', '1e3', ' 1', '+1', '.5', '1.', 'one', Number.NaN, true, null, {}])('rejects %p', (value) => {
    expect(decimalOf(value)).toBeUndefined();
  });

  test('returns numbers that compare by value', () => {
    const [less, more] = [
      { digits: 199n, scale: 2 },
      { digits: 2n, scale: 0 },
    ];
    expect(compareDecimals(less, more)).toBeLessThan(0);
    expect(compareDecimals(more, less)).toBeGreaterThan(0);
    expect(compareDecimals(more, { digits: 200n, scale: 2 })).toBe(0);
  });
});

describe('isSameValue', () => {
  test.each<[unknown, unknown, boolean]>([
    [2010, '2010.0', true],
    ['1', 2, false],
    [5, 'five', false],
    ['Lagos  Island', ' lagos island', true],
    [true, true, true],
    [true, false, false],
    [true, 'true', true],
    ['False', false, true],
    [true, 1, false],
    [undefined, 'undefined', false],
  ])('compares %p and %p: %p', (a, b, same) => {
    expect(isSameValue(a, b)).toBe(same);
    expect(isSameValue(b, a)).toBe(same);
  });

  test('is undefined for null and for inherited members', () => {
    expect(riskDetail({ make: null }, 'make')).toBeUndefined();
    expect(riskDetail({}, 'constructor')).toBeUndefined();
    expect(riskDetail({ make: false }, 'make')).toBe(false);
  });
});
