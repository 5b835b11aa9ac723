import type { Collection, Db } from 'mongodb';
import { isDuplicateKey } from '../../mongodb/connection.ts';
import type { Lease, Records } from '../records.ts';

interface StoredLease {
  readonly _id: string;
  readonly holder: string | null;
  readonly token: number;
  readonly beat: number;
}

/** Creates the lease functions of the port. Each change is a conditional update of one document, so that concurrent changes conflict. */
export function leaseFunctions(
  use: <T>(action: (database: Db) => Promise<T>) => Promise<T>,
): Pick<Records, 'readLease' | 'acquireLease' | 'renewLease' | 'releaseLease'> {
  const on = async <T>(action: (leases: Collection<StoredLease>) => Promise<T>): Promise<T> =>
    await use(async (database) => await action(database.collection<StoredLease>('leases')));
  return {
    readLease: async (name) => await on(async (leases) => leaseOf(await leases.findOne({ _id: name }))),
    acquireLease: async (name, holder, expected, above = 0) =>
      await on(async (leases) => {
        if (expected === undefined) return await insertLease(leases, name, holder, above + 1);
        const { token, beat } = expected;
        const change = { $set: { holder, token: Math.max(token, above) + 1 }, $inc: { beat: 1 } };
        return leaseOf(await leases.findOneAndUpdate({ _id: name, token, beat }, change, { returnDocument: 'after' }));
      }),
    renewLease: async (name, { holder, token }) =>
      await on(async (leases) => {
        const current = { _id: name, holder: holder ?? null, token };
        return leaseOf(await leases.findOneAndUpdate(current, { $inc: { beat: 1 } }, { returnDocument: 'after' }));
      }),
    releaseLease: async (name, { holder, token }) =>
      await on(async (leases) => {
        const current = { _id: name, holder: holder ?? null, token };
        await leases.updateOne(current, { $set: { holder: null }, $inc: { beat: 1 } });
      }),
  };
}

async function insertLease(
  leases: Collection<StoredLease>,
  name: string,
  holder: string,
  token: number,
): Promise<Lease | undefined> {
  try {
    await leases.insertOne({ _id: name, holder, token, beat: 1 });
    return { holder, token, beat: 1 };
  } catch (error) {
    if (isDuplicateKey(error)) return undefined;
    throw error;
  }
}

function leaseOf(stored: StoredLease | null): Lease | undefined {
  return stored === null ? undefined : { holder: stored.holder ?? undefined, token: stored.token, beat: stored.beat };
}
