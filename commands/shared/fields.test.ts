import { describe, expect, test } from '@jest/globals';
import { line, lineOrEmpty, resourceId, text } from './fields.ts';

describe('line', () => {
  test.each(['Ünïcode Ltd', 'a\u200d', '株式会社', 'a😀b', 'x'.repeat(20)])('accepts %j', (value) => {
    expect(line(20).parse(` ${value} `)).toBe(value);
  });

  test.each(['', '   ', '\u200b', '\u3164 \u00ad', 'x'.repeat(21), 'a\nb', 'a\u0000', 'a\u0085b', '\ud800', 7, null])(
    'rejects %j',
    (value) => {
      expect(line(20).safeParse(value).success).toBe(false);
    },
  );
});

describe('text', () => {
  test('accepts several lines and rejects characters that cannot be stored', () => {
    expect(text(20).parse('1 Marina\r\nLagos\t')).toBe('1 Marina\r\nLagos');
    expect(text(20).safeParse('a\u0000').success).toBe(false);
    expect(text(20).safeParse('a\udc00').success).toBe(false);
  });
});

describe('lineOrEmpty', () => {
  test.each([
    ['', true],
    [' ', true],
    ['Obi', true],
    ['\u200b', false],
    ['\u3164 \u00ad', false],
  ])('accepts %j: %p', (value, isAccepted) => {
    expect(lineOrEmpty(20).safeParse(value).success).toBe(isAccepted);
  });
});

describe('resourceId', () => {
  test('is converted to lower case', () => {
    expect(resourceId.parse('6F1D2F0C-5B0E-5F52-9C3A-5E1A7C1F2B64')).toBe('6f1d2f0c-5b0e-5f52-9c3a-5e1a7c1f2b64');
  });
});
