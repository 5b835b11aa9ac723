import { describe } from '@jest/globals';

export { testDatabase, type TestDatabase } from './test-database.ts';

/** Address of MongoDB or a compatible server; undefined when MONGODB_URL is not set. */
export const MONGODB_URL = process.env['MONGODB_URL'];

const describeIfSet = MONGODB_URL === undefined ? describe.skip : describe;

/** Declares a suite that needs MongoDB; skipped without MONGODB_URL, with the reason in its title. */
export function describeOnMongodb(name: string, suite: (url: string) => void): void {
  const title = MONGODB_URL === undefined ? `${name} (skipped: MONGODB_URL is not set)` : name;
  describeIfSet(title, () => {
    suite(MONGODB_URL ?? '');
  });
}
