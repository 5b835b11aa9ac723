import { describe, expect, test } from '@jest/globals';
import { base32Of, threeLetters } from './codes.ts';
import { modeOf } from './mode.ts';

describe('codes', () => {
  test('take the first Latin letters of a name', () => {
    expect(threeLetters('Assurance')).toBe('ASS');
    expect(threeLetters('1. Émile & Co')).toBe('EMI');
    expect(threeLetters('安 A')).toBe('AXX');
  });

  test('have no ambiguous characters', () => {
    expect(base32Of('any text', 10)).toMatch(/^[0-9A-HJKMNP-TV-Z]{10}$/);
    expect(base32Of('any text', 10)).toBe(base32Of('any text', 10));
  });
});

describe('modeOf', () => {
  test('returns the mode that test_mode names', () => {
    expect([modeOf(true), modeOf(false)]).toEqual(['test', 'live']);
  });
});
