import { randomBytes } from 'node:crypto';

import { describe } from '@jest/globals';
import { MongoClient } from 'mongodb';

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

/** A database of its own, dropped with everything in it by `drop`. */
export interface TestDatabase {
  readonly url: string;
  readonly client: MongoClient;
  drop(): Promise<void>;
}

/** @param server connection string, whose path is not looked at */
export function testDatabase(server: string): TestDatabase {
  const url = new URL(server);
  url.pathname = `/surety_test_${randomBytes(6).toString('hex')}`;
  const client = new MongoClient(url.href, { serverSelectionTimeoutMS: 5_000 });
  return {
    url: url.href,
    client,
    drop: async () => {
      await client.db().dropDatabase();
      await client.close();
    },
  };
}
