import { expect, test } from '@jest/globals';
import { hasTwoDecimals } from './currency.ts';

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
