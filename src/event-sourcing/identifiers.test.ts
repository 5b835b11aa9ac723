import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { derivedId, normalised, sha256, uuid } from './identifiers.ts';

const parts = fc.array(fc.string(), { minLength: 1, maxLength: 4 });

describe('Derived ids', () => {
  test('are never to change, or retries would no longer find what they made', () => {
    expect(derivedId('a', 'b')).toBe('1e4835a0-fc0c-510d-b1eb-32ad7ac52065');
    expect(derivedId('ab')).not.toBe(derivedId('a', 'b'));
  });

  test('are uuids, the same for the same parts and others for others', () => {
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        expect(uuid.safeParse(derivedId(...one)).success).toBe(true);
        expect(derivedId(...one) === derivedId(...other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
    );
  });

  test('do not confuse parts that hold the signs between parts', () => {
    expect(derivedId('a|1:b')).not.toBe(derivedId('a', 'b'));
  });
});

describe('Normalised texts', () => {
  test.each([
    [' Ada@Example.COM ', 'ada@example.com'],
    ['Assurance \t Mutuelle', 'assurance mutuelle'],
    ['E\u0301toile', '\u00e9toile'],
  ])('%p becomes %p', (given, compared) => {
    expect(normalised(given)).toBe(compared);
  });

  test('stay as they are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        expect(normalised(normalised(text))).toBe(normalised(text));
      }),
    );
  });
});

describe('SHA-256', () => {
  test('is lower-case hex', () => {
    expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });
});
