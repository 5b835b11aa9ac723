import type { Collection, Db } from 'mongodb';
import { isDuplicateKey } from '../../mongodb/connection.ts';
import type { Leases } from '../records.ts';

interface StoredLease {
  readonly _id: string;
  readonly holder: string | null;
  readonly token: number;
  readonly renewedAt?: Date;
}

/**
 * Opens the leases, one document each. The primary judges and sets their times, so the clocks of processes are not
 * compared.
 */
export function openLeases(use: <T>(action: (database: Db) => Promise<T>) => Promise<T>): Leases {
  const on = async <T>(action: (leases: Collection<StoredLease>) => Promise<T>): Promise<T> =>
    await use(async (database) => await action(database.collection<StoredLease>('leases')));
  return {
    acquireLease: async (name, holder, timeToLiveMs, above = 0) =>
      await on(async (leases) => {
        await createLease(leases, name);
        const isExpired = { $expr: { $lt: ['$renewedAt', renewedBy(timeToLiveMs)] } };
        const free = { _id: name, $or: [{ holder: null }, { holder }, isExpired] };
        const change = { $set: { holder }, $inc: { token: above + 1 }, $currentDate: { renewedAt: true } } as const;
        return (await leases.findOneAndUpdate(free, change, { returnDocument: 'after' }))?.token;
      }),
    renewLease: async (name, holder) =>
      await on(async (leases) => {
        const renewed = await leases.updateOne({ _id: name, holder }, { $currentDate: { renewedAt: true } });
        return renewed.matchedCount > 0;
      }),
    releaseLease: async (name, holder) =>
      await on(async (leases) => void (await leases.updateOne({ _id: name, holder }, { $set: { holder: null } }))),
    findHolder: async (name, timeToLiveMs) =>
      await on(async (leases) => {
        const held = await leases.findOne({ _id: name, $expr: { $gte: ['$renewedAt', renewedBy(timeToLiveMs)] } });
        return held?.holder ?? undefined;
      }),
  };
}

/** Creates the lease, free, if it is missing: MongoDB refuses `$expr` in the filter of an upsert. */
async function createLease(leases: Collection<StoredLease>, name: string): Promise<void> {
  try {
    await leases.updateOne({ _id: name }, { $setOnInsert: { holder: null, token: 0 } }, { upsert: true });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

/** Returns the expression for the time until which a lease must have been renewed to be held. */
function renewedBy(timeToLiveMs: number): object {
  return { $subtract: ['$$NOW', timeToLiveMs] };
}
