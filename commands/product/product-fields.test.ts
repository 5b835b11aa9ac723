import { describe, expect, test } from '@jest/globals';
import { productFields, ratingInput } from './product-fields.ts';

const CONDITION = 'needs equals, at_least or below';
const CHANGE = 'needs either percent or amount';

/** The error messages for a rating with one loading of these members. */
const messages = (members: object) =>
  ratingInput
    .safeParse({ loadings: [{ field: 'vehicle_value', label: 'a loading', ...members }] })
    .error?.issues.map(({ message }) => message) ?? [];

describe('a loading', () => {
  test.each([
    { equals: false, percent: '20' },
    { at_least: '10', percent: '-20.5' },
    { below: '10', amount: '-5.00' },
    { equals: 15, at_least: '10', below: '20', amount: '5' },
  ])('is valid with a condition and one change of the price, such as %j', (members) => {
    expect(messages(members)).toEqual([]);
  });

  test.each([
    [{ percent: '20' }, [CONDITION]],
    [{ equals: 'Commercial' }, [CHANGE]],
    [{ equals: 'Commercial', percent: '20', amount: '5' }, [CHANGE]],
    [{}, [CONDITION, CHANGE]],
  ])('%j is invalid: %j', (members, expected) => {
    expect(messages(members)).toEqual(expected);
  });
});

describe('a percentage or amount', () => {
  const fields = (rating: object) =>
    ratingInput.safeParse(rating).error?.issues.map(({ path }) => path.join('.')) ?? [];
  const loading = (change: object) => ({ loadings: [{ field: 'use', equals: 'Hire', label: 'hire', ...change }] });

  test.each(['discount_percent', 'tax_percent', 'commission_percent'])('%s is 0 to 100', (field) => {
    for (const taken of ['0', '0.000000', '7.5', '100', '100.000000']) expect(fields({ [field]: taken })).toEqual([]);
    for (const refused of ['-0.000001', '100.000001', '1000', '7.5.1', '7,5', '', '0.0000001', 7.5])
      expect(fields({ [field]: refused })).toEqual([field]);
  });

  test('of the rate is 0 to 100', () => {
    const rate = (percent: string) => fields({ rate: { field: 'value', percent } });
    for (const taken of ['0', '100']) expect(rate(taken)).toEqual([]);
    for (const refused of ['-1', '100.1']) expect(rate(refused)).toEqual(['rate.percent']);
  });

  test('of a loading is -100 to 1000, and its amount of either sign', () => {
    for (const percent of ['-100', '-100.000000', '1000']) expect(fields(loading({ percent }))).toEqual([]);
    for (const percent of ['-100.000001', '1000.000001'])
      expect(fields(loading({ percent }))).toEqual(['loadings.0.percent']);
    for (const amount of ['-99999999.99', '99999999.99']) expect(fields(loading({ amount }))).toEqual([]);
    expect(fields(loading({ amount: '1.005' }))).toEqual(['loadings.0.amount']);
  });

  test.each(['minimum_premium', 'surcharge'])('%s is not negative', (field) => {
    for (const taken of ['0', '99999999.99']) expect(fields({ [field]: taken })).toEqual([]);
    for (const refused of ['-0.01', '100000000', '0.001']) expect(fields({ [field]: refused })).toEqual([field]);
  });
});

test('the coverages of a product or a tier have names and types of at most 20,000 characters in all', () => {
  const coverages = (length: number) =>
    Array.from({ length: 100 }, (_, index) => ({
      coverage_name: `${'a'.repeat(97)}${index + 100}`,
      coverage_type: 'b'.repeat(length),
    }));
  const tiers = (length: number) => [{ tier_name: 'Basic', base_premium: '1', coverages: coverages(length) }];
  const messages = (length: number) =>
    [
      ...(productFields.coverages.safeParse(coverages(length)).error?.issues ?? []),
      ...(productFields.tiers.safeParse(tiers(length)).error?.issues ?? []),
    ].map(({ path, message }) => [path.join('.'), message]);
  expect(messages(100)).toEqual([]);
  const tooLong = 'must have names and types of at most 20000 characters in all';
  expect(messages(101)).toEqual([
    ['', tooLong],
    ['0.coverages', tooLong],
  ]);
});
