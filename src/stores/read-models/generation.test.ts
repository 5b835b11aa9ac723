import { expect, test } from '@jest/globals';
import { hashOf } from './collection-definitions.ts';

const definitions = (versions: Readonly<Record<string, number>>, indexes: readonly string[] = ['a', 'b']) =>
  Object.entries(versions).map(([name, version]) => ({ name, version, indexes }));

const FIRST = { policies: 2, claims: 1, customers: 2 };

test.each([
  ['a version is raised', definitions({ ...FIRST, policies: 3 })],
  ['a version is raised and another collection removed', definitions({ policies: 3, customers: 2 })],
  ['a version is raised and another one lowered', definitions({ ...FIRST, policies: 3, customers: 1 })],
  ['a collection is added', definitions({ ...FIRST, payments: 1 })],
  ['an index is added', definitions(FIRST, ['a', 'b', 'c'])],
  ['an index is counted', definitions(FIRST).map((one) => ({ ...one, countedBy: ['a'] }))],
])('returns another hash when %s', (_how, changed) => {
  const hash = hashOf(changed);
  expect(hash).toMatch(/^[0-9a-f]{12}$/);
  expect(hash).not.toBe(hashOf(definitions(FIRST)));
  expect(hashOf(changed.toReversed())).toBe(hash);
});

test('returns the same hash whatever the order of the indexes', () => {
  expect(hashOf(definitions(FIRST, ['b', 'a']))).toBe(hashOf(definitions(FIRST)));
});
