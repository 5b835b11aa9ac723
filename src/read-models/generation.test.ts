import { expect, test } from '@jest/globals';
import { generationOf } from './generation.ts';

const definitions = (versions: Readonly<Record<string, number>>) =>
  Object.entries(versions).map(([name, version]) => ({ name, version }));

/** Never change these: they are the collections of installations from before generations. */
const FIRST = {
  ...{ policies: 2, claims: 1, customers: 2, merchants: 2, environments: 1, products: 2, providers: 1 },
  ...{ mail_jobs: 1, log_mark: 1, reached: 12 },
};

test('returns undefined for the versions of installations from before generations', () => {
  expect(generationOf(definitions(FIRST))).toBeUndefined();
  expect(generationOf(definitions(FIRST).toReversed())).toBeUndefined();
});

test.each([
  ['is raised', { ...FIRST, policies: 3, reached: 13 }],
  ['is raised and another one removed, so that their sum stays', { ...FIRST, policies: 3, mail_jobs: undefined }],
  ['is raised and another one lowered', { ...FIRST, policies: 3, customers: 1 }],
  ['is added', { ...FIRST, payments: 1, reached: 13 }],
])('returns another generation when a projection version %s', (_how, versions) => {
  const given = Object.entries(versions).flatMap(([name, version]) => (version === undefined ? [] : { name, version }));
  const generation = generationOf(given);
  expect(generation).toMatch(/^[0-9a-f]{12}$/);
  expect(generationOf(given.toReversed())).toBe(generation);
});
