import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { wrapText } from './wrap-text.ts';

/** Every character is 1 wide, as in a typewriter's font, and marks have no width. */
const widthOf = (text: string): number => text.replace(/\p{M}/gu, '').length;

describe('the lines of a text', () => {
  test.each([
    ['', ['']],
    ['one two three', ['one two', 'three']],
    ['a verylongword b', ['a', 'verylong', 'word b']],
    ['a  b', ['a  b']],
    ['x'.repeat(2_000), Array.from({ length: 250 }, () => 'x'.repeat(8))],
    ['1234567\\u{1f600}', ['1234567', '\\u{1f600}']],
    [`1234567o\u0323\u0301o\u0323\u0301`, ['1234567o\u0323\u0301', 'o\u0323\u0301']],
  ])('of %j', (text, lines) => {
    expect(wrapText(text, 8, widthOf)).toEqual(lines);
  });

  test('have all characters, and fit', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\u0301') }),
        fc.integer({ min: 1, max: 12 }),
        (text, width) => {
          const lines = wrapText(text, width, widthOf);
          expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
          for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});
