import { expect, test } from '@jest/globals';
import { differingPointers } from './compare-document.ts';

test.each<[string, unknown, unknown, readonly string[]]>([
  ['equal values', { a: [1, { b: null }] }, { a: [1, { b: null }] }, []],
  ['values themselves', 1, '1', ['']],
  ['a member of an item', { a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }, ['/a/1/b']],
  ['members that only one side has', { a: 1, b: null }, { b: null, c: 1 }, ['/a', '/c']],
  ['an array and an object', { a: [] }, { a: {} }, ['/a']],
  ['null and an object', { a: null }, { a: {} }, ['/a']],
  ['names with a slash or a tilde', { 'a/b': 1, '~': 1 }, { 'a/b': 2, '~': 2 }, ['/a~1b', '/~0']],
  ['a name that every object inherits', { toString: 1 }, {}, ['/toString']],
  ['more differences than the limit', [1, [1, 1], 1], [2, [2, 2], 2], ['/0', '/1/0']],
])('names %s', (_what, found, wanted, pointers) => {
  expect(differingPointers(found, wanted, 2)).toEqual(pointers);
});
