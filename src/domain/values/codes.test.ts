import { describe, expect, test } from '@jest/globals';
import { base32Of, threeLetters } from './codes.ts';
import { worldOf } from './world.ts';

describe('Codes', () => {
  test('take the first Latin letters of a name', () => {
    expect(threeLetters('Assurance')).toBe('ASS');
    expect(threeLetters('1. Émile & Co')).toBe('EMI');
    expect(threeLetters('安 A')).toBe('AXX');
  });

  test('have characters that cannot be mistaken', () => {
    expect(base32Of('any text', 10)).toMatch(/^[0-9A-HJKMNP-TV-Z]{10}$/);
    expect(base32Of('any text', 10)).toBe(base32Of('any text', 10));
  });
});

describe('The world', () => {
  test('is named by the mode', () => {
    expect([worldOf(true), worldOf(false)]).toEqual(['test', 'live']);
  });
});
