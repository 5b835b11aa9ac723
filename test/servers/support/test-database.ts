import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';

/** A database of its own, dropped with everything in it by `drop`. */
export interface TestDatabase {
  readonly url: string;
  readonly client: MongoClient;
  drop(): Promise<void>;
}

/** What the jest project `servers` drops at the end of a file whose tests have not come to it. */
const leftBehind = (globalThis as { readonly LEFT_BEHIND?: Set<() => Promise<void>> }).LEFT_BEHIND;

/** @param server connection string, of one host or several; its database is not looked at */
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
  if (parts === null) throw new TypeError('MONGODB_URL is no connection string of MongoDB');
  const [, hosts = '', database = '', options = ''] = parts;
  // Users are looked for in the database that is named, unless the options say where they are.
  const isImplied = hosts.includes('@') && database !== '' && !/(^|&)authSource=/i.test(options);
  const all = [options, isImplied ? `authSource=${database}` : ''].filter((option) => option !== '');
  return `${hosts}/${name}${all.length === 0 ? '' : `?${all.join('&')}`}`;
}
