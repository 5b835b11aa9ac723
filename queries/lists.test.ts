import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { cursorOf, type CursorScope, keyOfCursor } from './lists.ts';

const SCOPE: CursorScope = {
  list: 'ListMerchantPolicies',
  owner: 'm-live',
  filters: { status: 'active', email: undefined },
};
const KEY = { createdAt: '2026-03-10T09:30:00.000Z', key: 'ab12' };
const REFUSED = expect.objectContaining({
  code: 'invalid_request',
  fields: [expect.objectContaining({ field: 'after' })],
});

describe('A cursor', () => {
  test('gives its sort key in a list with the same filters, in any order', () => {
    const cursor = cursorOf({ ...SCOPE, filters: { a: '1', b: '2' } }, KEY);
    expect(keyOfCursor({ ...SCOPE, filters: { b: '2', c: undefined, a: '1' } }, cursor)).toEqual(KEY);
    expect(cursor).toMatch(/^[\w-]+$/);
  });

  test.each<[string, Partial<CursorScope>]>([
    ['another list', { list: 'ListMerchantClaims' }],
    ['another merchant or mode', { owner: 'm-test' }],
    ['another value of a filter', { filters: { status: 'cancelled' } }],
    ['another filter', { filters: { product_type: 'active' } }],
    ['one more filter', { filters: { status: 'active', customer_id: 'c' } }],
    ['no filter', { filters: {} }],
  ])('is refused by %s', (_name, other) => {
    expect(() => keyOfCursor({ ...SCOPE, ...other }, cursorOf(SCOPE, KEY))).toThrow(REFUSED);
  });

  test('is refused when any part of it was changed', () => {
    const cursor = cursorOf(SCOPE, KEY);
    fc.assert(
      fc.property(
        fc.nat(cursor.length - 1),
        fc.constantFrom('a', 'Z', '0', '9', '-', '_', '=', '.', ' '),
        (at, character) => {
          const changed = cursor.slice(0, at) + character + cursor.slice(at + 1);
          if (changed !== cursor) expect(() => keyOfCursor(SCOPE, changed)).toThrow(REFUSED);
        },
      ),
    );
    for (const text of ['', 'x', `${cursor}A`, cursor.slice(4), Buffer.from('[1,2,3]').toString('base64url')])
      expect(() => keyOfCursor(SCOPE, text)).toThrow(REFUSED);
  });
});
