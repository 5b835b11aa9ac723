import { describe, expect, test } from '@jest/globals';
import { Refusal } from '#domain/refusals.ts';
import { hashTag, matchesIfNoneMatch, revisionsOf } from './entity-tags.ts';

describe('revisionsOf', () => {
  test.each([
    [undefined, undefined],
    ['*', undefined],
    ['"1-4"', [4]],
    [' "1-4" ,, "2-10"\t', [4, 10]],
    ['"1-4",', [4]],
    [', "1-4" , ,', [4]],
    ['W/"1-4"', []],
    ['"abc", "1-", "-1", "1-4x"', []],
    ['"1-4", W/"1-5", "x"', [4]],
    ['"1-99999999999999999999"', []],
    ['"1-4-2026-01-01", "2-7-3f9ab0c1d2e4", "1-8-"', [4, 7]],
  ])('reads the revisions of %p as %p', (header, revisions) => {
    expect(revisionsOf(header)).toEqual(revisions);
  });

  test.each(['', '1-4', '"1-4', '"1-4" "1-5"', ' , ,', '*,', '*, "1-4"', "'1-4'"])('rejects %p', (header) => {
    expect(() => revisionsOf(header)).toThrow(Refusal);
  });
});

describe('matchesIfNoneMatch', () => {
  test.each([
    ['"a"', true],
    ['W/"a"', true],
    ['"b", "a"', true],
    ['"b",,"a",', true],
    ['*', true],
    ['"b"', false],
    ['a', false],
    ['', false],
  ])('of %p is %p', (header, matches) => {
    expect(matchesIfNoneMatch(header, '"a"')).toBe(matches);
  });
});

test('hashTag differs for different bodies, and is no revision', () => {
  expect(hashTag('{"a":1}')).toBe(hashTag('{"a":1}'));
  expect(hashTag('{"a":1}')).not.toBe(hashTag('{"a":2}'));
  expect(hashTag('')).toMatch(/^"[0-9a-f]{32}"$/);
});

describe('A header of 16 kB', () => {
  const length = 16_000;
  test.each([
    ['separators', `"a"${' ,'.repeat(length / 2)}x`],
    ['spaces', `"a",${' '.repeat(length)}x`],
    ['spaces and no tag', `${' '.repeat(length)}x`],
    ['spaces within', `x${' '.repeat(length)}x`],
    ['quotes', `W/${'"'.repeat(length)}x`],
    ['an open tag', `"${'a'.repeat(length)}`],
    ['spaces between tags', `"a"${' '.repeat(length)}"b"`],
  ])('of %s is read in linear time', (_, header) => {
    const { user } = measured(() => {
      for (let time = 0; time < 20; time++) matchesIfNoneMatch(header, '"b"');
    });
    // Quadratic time takes 200 ms for each header.
    expect(user).toBeLessThan(500_000);
  });
});

function measured(run: () => void): NodeJS.CpuUsage {
  const before = process.cpuUsage();
  run();
  return process.cpuUsage(before);
}
