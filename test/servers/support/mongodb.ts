import { describe } from '@jest/globals';

export { testDatabase, type TestDatabase } from './test-database.ts';

/** Where MongoDB is, or what speaks like it; undefined: nowhere. */
export const MONGODB_URL = process.env['MONGODB_URL'];

const describeIfThere = MONGODB_URL === undefined ? describe.skip : describe;

/** As `describe`; without a server the suite is skipped, and its name says so. */
export function describeOnMongodb(name: string, suite: (url: string) => void): void {
  const title = MONGODB_URL === undefined ? `${name} (skipped: MONGODB_URL is not set)` : name;
  describeIfThere(title, () => {
    suite(MONGODB_URL ?? '');
  });
}
