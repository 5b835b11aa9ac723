import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';

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
