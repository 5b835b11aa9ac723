import { expect, test } from '@jest/globals';
import { generationOf } from './collection-definitions.ts';

const definitions = (versions: Readonly<Record<string, number>>) =>
  Object.entries(versions).map(([name, version]) => ({ name, version }));

const FIRST = { policies: 2, claims: 1, customers: 2 };

test.each([
  ['is raised', { ...FIRST, policies: 3 }],
  ['is raised and another one removed, so that their sum stays', { policies: 3, customers: 2 }],
  ['is raised and another one lowered', { ...FIRST, policies: 3, customers: 1 }],
  ['is added', { ...FIRST, payments: 1 }],
])('returns another generation when a projection version %s', (_how, versions) => {
  const generation = generationOf(definitions(versions));
  expect(generation).toMatch(/^[0-9a-f]{12}$/);
  expect(generation).not.toBe(generationOf(definitions(FIRST)));
  expect(generationOf(definitions(versions).toReversed())).toBe(generation);
});
