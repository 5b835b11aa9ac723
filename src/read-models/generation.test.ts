import { expect, test } from '@jest/globals';
import { generationOf } from './generation.ts';

const definitions = (versions: Readonly<Record<string, number>>) =>
  Object.entries(versions).map(([name, version]) => ({ name, version }));

/** Never changed: these are the collections of installations that are older than the names of generations. */
const UNNAMED = {
  ...{ policies: 2, claims: 1, customers: 2, merchants: 2, environments: 1, products: 2, providers: 1 },
  ...{ mail_jobs: 1, log_mark: 1, reached: 12 },
};

test('given the versions of an installation from before there were generations, then it keeps its collections', () => {
  expect(generationOf(definitions(UNNAMED))).toBeUndefined();
  expect(generationOf(definitions(UNNAMED).toReversed())).toBeUndefined();
});

test.each([
  ['is raised', { ...UNNAMED, policies: 3, reached: 13 }],
  ['is raised and another one taken away, so that their sum stays', { ...UNNAMED, policies: 3, mail_jobs: undefined }],
  ['is raised and another one lowered', { ...UNNAMED, policies: 3, customers: 1 }],
  ['is added', { ...UNNAMED, payments: 1, reached: 13 }],
])('given a projection that %s, then it is another generation', (_how, versions) => {
  const given = Object.entries(versions).flatMap(([name, version]) => (version === undefined ? [] : { name, version }));
  const generation = generationOf(given);
  expect(generation).toMatch(/^[0-9a-f]{12}$/);
  expect(generationOf(given.toReversed())).toBe(generation);
});
