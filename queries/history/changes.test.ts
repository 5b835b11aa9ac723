import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { applyChanges } from '#test/support/apply-changes.ts';
import { changesBetween } from './changes.ts';

describe('the changes between two documents', () => {
  test('contain every member, null included, when there was no document before', () => {
    expect(changesBetween(undefined, { a: 1, b: null, c: [], d: { e: [1] } })).toEqual([
      { path: '/a', after: 1 },
      { path: '/b', after: null },
      { path: '/c', after: [] },
      { path: '/d', after: { e: [1] } },
    ]);
  });

  test('are none between equal documents', () => {
    const document = { a: 1, b: null, c: [{ d: [] }], e: { f: '' } };
    expect(changesBetween(document, structuredClone(document))).toEqual([]);
  });

  test('do not read objects that both documents share', () => {
    const shared = {
      get a(): never {
        throw new Error('was read');
      },
    };
    expect(changesBetween({ b: shared, c: [shared] }, { b: shared, c: [shared, 1] })).toEqual([
      { path: '/c/1', after: 1 },
    ]);
  });

  test('name the innermost member that differs', () => {
    const before = { holder: { name: 'A', phone: null }, was: { here: 1 } };
    expect(changesBetween(before, { holder: { name: 'B', phone: null, mail: 'b@c' }, is: 0 })).toEqual([
      { path: '/was', before: { here: 1 } },
      { path: '/holder/name', before: 'A', after: 'B' },
      { path: '/holder/mail', after: 'b@c' },
      { path: '/is', after: 0 },
    ]);
  });

  test('compare array elements one by one and add new ones at the end', () => {
    expect(changesBetween({ a: [1, { b: 2 }] }, { a: [1, { b: 3 }, 4, 5] })).toEqual([
      { path: '/a/1/b', before: 2, after: 3 },
      { path: '/a/2', after: 4 },
      { path: '/a/3', after: 5 },
    ]);
  });

  test('remove array elements from the end', () => {
    expect(changesBetween({ a: [1, 2, 3, 4] }, { a: [1, 3] })).toEqual([
      { path: '/a/3', before: 4 },
      { path: '/a/2', before: 3 },
      { path: '/a/1', before: 2, after: 3 },
    ]);
  });

  test('replace a value of another kind as a whole', () => {
    expect(changesBetween({ a: [1], b: {}, c: null, d: '1' }, { a: { 0: 1 }, b: [], c: {}, d: 1 })).toEqual([
      { path: '/a', before: [1], after: { 0: 1 } },
      { path: '/b', before: {}, after: [] },
      { path: '/c', before: null, after: {} },
      { path: '/d', before: '1', after: 1 },
    ]);
  });

  test('escape ~ and / in names (RFC 6901)', () => {
    expect(changesBetween({ 'a/b': { 'm~n': 1, '~1': 1 } }, { 'a/b': { 'm~n': 2, '~1': 2 }, '': 0 })).toEqual([
      { path: '/a~1b/m~0n', before: 1, after: 2 },
      { path: '/a~1b/~01', before: 1, after: 2 },
      { path: '/', after: 0 },
    ]);
  });

  test('turn the first document into the second when they are applied', () => {
    const document = fc.dictionary(
      fc.string({ unit: fc.constantFrom('a', 'b', '~', '/', '0', '1'), maxLength: 3 }),
      fc.jsonValue({ maxDepth: 3 }),
    );
    fc.assert(
      fc.property(fc.array(document, { minLength: 1, maxLength: 5 }), (documents) => {
        const plain = documents.map((each) => JSON.parse(JSON.stringify(each)) as Record<string, unknown>);
        let current: unknown;
        for (const [index, next] of plain.entries()) {
          current = applyChanges(current ?? {}, changesBetween(plain[index - 1], next));
          expect(current).toEqual(next);
        }
      }),
    );
  });
});
