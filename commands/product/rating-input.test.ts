import { describe, expect, test } from '@jest/globals';
import { ratingInput } from './rating-input.ts';

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
