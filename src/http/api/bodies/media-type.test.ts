import { describe, expect, test } from '@jest/globals';
import { bodyTypeOf } from './media-type.ts';

const typeOf = (header: string): unknown => bodyTypeOf({ 'content-type': header });

describe('bodyTypeOf', () => {
  test.each<[string, unknown]>([
    ['application/json', { kind: 'json' }],
    ['application/JSON ; charset = "UTF-8" ; q', { kind: 'json' }],
    ['multipart/form-data; boundary=a b', { kind: 'multipart', boundary: undefined }],
    ['multipart/form-data;boundary="a b"', { kind: 'multipart', boundary: 'a b' }],
    ['multipart/form-data; Boundary = x ', { kind: 'multipart', boundary: 'x' }],
    ['multipart/form-data; boundary=', { kind: 'multipart', boundary: undefined }],
  ])('reads %s', (header, type) => {
    expect(typeOf(header)).toEqual(type);
  });

  test('reads white space inside a parameter in linear time', () => {
    const timeOf = (filler: string): number => {
      const header = `application/json; a=${filler.repeat(15_000)}x y`;
      const times = Array.from({ length: 5 }, () => {
        const start = performance.now();
        typeOf(header);
        return performance.now() - start;
      });
      return Math.min(...times);
    };
    // Quadratic time is 200 ms, a thousand times that of a header of letters.
    expect(timeOf(' ')).toBeLessThan(20 + 100 * timeOf('x'));
  });
});
