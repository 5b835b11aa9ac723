import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { v5 } from 'uuid';
import { derivedId, namedId, normalise, sha256, uuid } from './identifiers.ts';

const parts = fc.array(fc.string(), { minLength: 1, maxLength: 4 });

describe('derivedId', () => {
  test('never changes, because retries derive ids again', () => {
    expect(derivedId('a', 'b')).toBe('1e4835a0-fc0c-510d-b1eb-32ad7ac52065');
    expect(derivedId('ab')).not.toBe(derivedId('a', 'b'));
  });

  test('returns the same UUID for the same parts only', () => {
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        expect(uuid.safeParse(derivedId(...one)).success).toBe(true);
        expect(derivedId(...one) === derivedId(...other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
    );
  });

  test('distinguishes parts that contain separators', () => {
    expect(derivedId('a|1:b')).not.toBe(derivedId('a', 'b'));
  });
});

describe('namedId', () => {
  test('returns the UUID of version 5', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.string({ unit: 'binary' }), (namespace, name) => {
        expect(namedId(namespace, name)).toBe(v5(name, namespace));
      }),
    );
  });
});

describe('normalise', () => {
  test.each([
    [' Ada@Example.COM ', 'ada@example.com'],
    ['Assurance \t Mutuelle', 'assurance mutuelle'],
    ['E\u0301toile', '\u00e9toile'],
    ['\u200bAda\u00ad \u2060 O\u200dbi\u3164', 'ada obi'],
    ['E\u034f\u0301toile', '\u00e9toile'],
    ['\u{e0041}\ufeff', ''],
    ['Stra\u00dfe', 'stra\u00dfe'],
  ])('turns %p into %p', (given, compared) => {
    expect(normalise(given)).toBe(compared);
  });

  test('does not change normalised texts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(normalise(normalise(text))).toBe(normalise(text));
      }),
    );
  });
});

describe('sha256', () => {
  test('returns lower-case hex', () => {
    expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });
});
