import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { IndexValue } from '#stores/read-models/read-models.ts';
import { cursorOf, type CursorScope, placeOfCursor } from './lists.ts';
import type { QueryContext } from './query.ts';

const SCOPE: CursorScope = {
  list: 'ListMerchantPolicies',
  owner: 'm-live',
  filters: { status: 'active', email: undefined },
};
const KEY = { key: 'ab12' };
const [MERCHANT, OTHER] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];

/** Reads the cursor of a list of the owner, where the store has one document. */
async function placeIn(
  scope: CursorScope,
  cursor: string,
  owner: IndexValue[] = [`${MERCHANT}-live`],
  role = 'merchant',
) {
  const get = async (_: string, key: string) =>
    key === KEY.key ? { order: 7n, indexes: { owner: `${MERCHANT}-live`, status: 'active' } } : undefined;
  const context = { readModels: { get }, reader: { role } } as unknown as QueryContext;
  return await placeOfCursor(context, scope, { collection: 'policies', conditions: [owner, 'cancelled'] }, cursor);
}
const REFUSED = expect.objectContaining({
  code: 'invalid_request',
  fields: [expect.objectContaining({ field: 'after' })],
});

describe('A cursor', () => {
  test('gives the place of its document in a list with the same filters, in any order', async () => {
    const cursor = cursorOf({ ...SCOPE, filters: { a: '1', b: '2' } }, KEY);
    const scope = { ...SCOPE, filters: { b: '2', c: undefined, a: '1' } };
    expect(await placeIn(scope, cursor)).toEqual({ ...KEY, order: 7n });
    expect(cursor).toMatch(/^[\w-]+$/);
  });

  test.each<[string, Partial<CursorScope>]>([
    ['another list', { list: 'ListMerchantClaims' }],
    ['another merchant or mode', { owner: 'm-test' }],
    ['another value of a filter', { filters: { status: 'cancelled' } }],
    ['another filter', { filters: { product_type: 'active' } }],
    ['one more filter', { filters: { status: 'active', customer_id: 'c' } }],
    ['no filter', { filters: {} }],
  ])('is refused by %s', async (_name, other) => {
    await expect(placeIn({ ...SCOPE, ...other }, cursorOf(SCOPE, KEY))).rejects.toThrow(REFUSED);
  });

  test('that was made up does not show whether a document of another merchant exists', async () => {
    const refused = placeIn(SCOPE, cursorOf(SCOPE, KEY), [`${OTHER}-live`, `${OTHER}-test`]);
    await expect(refused).rejects.toThrow(REFUSED);
    await expect(placeIn(SCOPE, cursorOf(SCOPE, { key: 'unknown' }))).rejects.toThrow(REFUSED);
    expect(await placeIn(SCOPE, cursorOf(SCOPE, KEY), [`${OTHER}-live`], 'admin')).toEqual({ ...KEY, order: 7n });
  });

  test('is refused when any part of it was changed', async () => {
    const cursor = cursorOf(SCOPE, KEY);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(cursor.length - 1),
        fc.constantFrom('a', 'Z', '0', '9', '-', '_', '=', '.', ' '),
        async (at, character) => {
          const changed = cursor.slice(0, at) + character + cursor.slice(at + 1);
          if (changed !== cursor) await expect(placeIn(SCOPE, changed)).rejects.toThrow(REFUSED);
        },
      ),
    );
    for (const text of ['', 'x', `${cursor}A`, cursor.slice(4), Buffer.from('[1,2,3]').toString('base64url')])
      await expect(placeIn(SCOPE, text)).rejects.toThrow(REFUSED);
  });
});
