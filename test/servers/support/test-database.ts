import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';

/** A database for one suite; `drop` deletes it. */
export interface TestDatabase {
  readonly url: string;
  readonly client: MongoClient;
  drop(): Promise<void>;
}

/** Databases that the jest project `servers` drops at the end of a file if its tests have not. */
const leftBehind = (globalThis as { readonly LEFT_BEHIND?: Set<() => Promise<void>> }).LEFT_BEHIND;

/** Creates a database. @param server connection string of one or more hosts; its database is ignored */
export function testDatabase(server: string): TestDatabase {
  const url = withDatabase(server, `surety_test_${randomBytes(6).toString('hex')}`);
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 5_000 });
  const drop = async (): Promise<void> => {
    leftBehind?.delete(drop);
    await client.db().dropDatabase();
    await client.close();
  };
  leftBehind?.add(drop);
  return { url, client, drop };
}

function withDatabase(server: string, name: string): string {
  const parts = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/([^?]*))?(?:\?(.*))?$/.exec(server);
  if (parts === null) throw new TypeError('MONGODB_URL is not a MongoDB connection string');
  const [, hosts = '', database = '', options = ''] = parts;
  // Without authSource, MongoDB authenticates against the database of the connection string, or `admin`.
  const isImplied = hosts.includes('@') && !/(^|&)authSource=/i.test(options);
  const all = [options, isImplied ? `authSource=${database || 'admin'}` : ''].filter((option) => option !== '');
  return `${hosts}/${name}${all.length === 0 ? '' : `?${all.join('&')}`}`;
}
