import { describe, expect, test } from '@jest/globals';
import { parseSearch } from './query-string.ts';

describe('parseSearch', () => {
  test('decodes parameters', () => {
    expect(parseSearch('a=1&b=x%20y+z&c')).toEqual({ a: '1', b: 'x y z', c: '' });
  });

  test('names a repeated parameter', () => {
    expect(() => parseSearch('a=1&b=2&a=1')).toThrow(
      expect.objectContaining({ code: 'invalid_request', fields: [{ field: 'a', message: 'must be given once' }] }),
    );
  });
});
