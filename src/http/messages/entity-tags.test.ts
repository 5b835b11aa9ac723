import { describe, expect, test } from '@jest/globals';
import { Refusal } from '../../domain/refusals.ts';
import { hashTag, matchesNoneOf, revisionsOf } from './entity-tags.ts';

describe('revisionsOf', () => {
  test.each([
    [undefined, undefined],
    ['*', undefined],
    ['"1-4"', [4]],
    [' "1-4" ,, "2-10"\t', [4, 10]],
    ['W/"1-4"', []],
    ['"abc", "1-", "-1", "1-4x"', []],
    ['"1-4", W/"1-5", "x"', [4]],
    ['"1-99999999999999999999"', []],
  ])('given %p, then %p', (header, revisions) => {
    expect(revisionsOf(header)).toEqual(revisions);
  });

  test.each(['', '1-4', '"1-4', '"1-4" "1-5"', '"1-4",', '*, "1-4"', "'1-4'"])(
    'given %p, then it is refused',
    (header) => {
      expect(() => revisionsOf(header)).toThrow(Refusal);
    },
  );
});

describe('matchesNoneOf', () => {
  test.each([
    ['"a"', true],
    ['W/"a"', true],
    ['"b", "a"', true],
    ['*', true],
    ['"b"', false],
    ['a', false],
    ['', false],
  ])('given %p, then %p', (header, matches) => {
    expect(matchesNoneOf(header, '"a"')).toBe(matches);
  });
});

test('given bodies, then their tags differ as they do', () => {
  expect(hashTag('{"a":1}')).toBe(hashTag('{"a":1}'));
  expect(hashTag('{"a":1}')).not.toBe(hashTag('{"a":2}'));
});
