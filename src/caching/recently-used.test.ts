import { expect, test } from '@jest/globals';
import { RecentlyUsed } from './recently-used.ts';

test('given more than fits, then what was not asked for the longest is forgotten', () => {
  const map = new RecentlyUsed<number>(3);
  for (const [index, key] of ['a', 'b', 'c'].entries()) map.set(key, index);
  expect(map.get('a')).toBe(0);
  map.set('d', 3);
  expect(map.get('b')).toBeUndefined();
  expect([map.get('a'), map.get('c'), map.get('d'), map.size]).toEqual([0, 2, 3, 3]);
});
