import { describe, expect, test } from '@jest/globals';
import { compareDecimals, decimalOf, isSameValue, riskDetail } from './risk-values.ts';

describe('a number that was told', () => {
  test.each<[unknown, bigint, number]>([
    [12, 12n, 0],
    ['12.50', 1250n, 2],
    [-0.25, -25n, 2],
    [1e21, 10n ** 21n, 0],
    [1.5e21, 15n * 10n ** 20n, 0],
    [2.5e-7, 25n, 8],
  ])('given %p, then it is %p with %p decimals', (told, digits, scale) => {
    expect(decimalOf(told)).toEqual({ digits, scale });
  });

  test.each<unknown>(['', '1e3', ' 1', '+1', '.5', '1.', 'one', Number.NaN, true, null, {}])(
    'given %p, then it is none',
    (told) => {
      expect(decimalOf(told)).toBeUndefined();
    },
  );

  test('given two of different scale, then they compare by their value', () => {
    const [less, more] = [
      { digits: 199n, scale: 2 },
      { digits: 2n, scale: 0 },
    ];
    expect(compareDecimals(less, more)).toBeLessThan(0);
    expect(compareDecimals(more, less)).toBeGreaterThan(0);
    expect(compareDecimals(more, { digits: 200n, scale: 2 })).toBe(0);
  });
});

describe('two values that were told', () => {
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
  ])('given %p and %p, then that they say the same is %p', (a, b, same) => {
    expect(isSameValue(a, b)).toBe(same);
    expect(isSameValue(b, a)).toBe(same);
  });

  test('given a member that is null, or a name that every object has, then nothing was told', () => {
    expect(riskDetail({ make: null }, 'make')).toBeUndefined();
    expect(riskDetail({}, 'constructor')).toBeUndefined();
    expect(riskDetail({ make: false }, 'make')).toBe(false);
  });
});
