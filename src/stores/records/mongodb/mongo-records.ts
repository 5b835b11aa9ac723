import { createHash } from 'node:crypto';
import { Binary, type Collection, type Db } from 'mongodb';
import { StoreUnavailable } from '../../shared/store-unavailable.ts';
import { hasDuplicateKeysOnly, isDuplicateKey, MongoConnection } from '../../mongodb/connection.ts';
import { rowsOf, type Leases, type Records, type RevisedValue } from '../records.ts';

interface BlobRow {
  readonly _id: string;
  readonly bytes: Binary;
}

interface NamedValue extends RevisedValue {
  readonly _id: string;
}

const MAX_ATTEMPTS = 5;

/** Opens records in MongoDB, standalone or replica set. Writes return when they are in the journals of the majority. */
export function openMongoRecords({ url }: { readonly url: string }): Records & { readonly leases: Leases } {
  const connection = new MongoConnection(url);
  const use: MongoConnection['use'] = async (action, caller) => await connection.use(action, caller);
  return {
    putBlob: async (bytes) => {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const writes = rowsOf(bytes).map((part, row) => ({
        updateOne: { filter: { _id: rowId(sha256, row) }, update: { $set: { bytes: new Binary(part) } }, upsert: true },
      }));
      await use(async (database) => await retryOnDuplicate(async () => await blobRowsOf(database).bulkWrite(writes)));
      return sha256;
    },
    getBlobRow: async (sha256, row) =>
      await use(async (database) => (await blobRowsOf(database).findOne({ _id: rowId(sha256, row) }))?.bytes.value()),
    revokeKey: async (keyId) =>
      await use(async (database) => {
        const revoked = { $set: { revoked: true } };
        await retryOnDuplicate(
          async () => await revokedOf(database).updateOne({ _id: keyId }, revoked, { upsert: true }),
        );
      }),
    isKeyRevoked: async (keyId) =>
      await use(async (database) => (await revokedOf(database).findOne({ _id: keyId })) !== null),
    getValue: async (name) => await use(async (database) => (await valuesOf(database).findOne({ _id: name }))?.value),
    getRevised: async (name) =>
      await use(async (database) => (await valuesOf(database).findOne({ _id: name })) ?? undefined),
    setValue: async (name, value) =>
      await use(async (database) => {
        const set = { $set: { value }, $inc: { revision: 1 } };
        await retryOnDuplicate(async () => await valuesOf(database).updateOne({ _id: name }, set, { upsert: true }));
      }, 'process'),
    replaceValue: async (name, revision, value) =>
      await use(async (database) => await replace(database, name, revision, value), 'process'),
    list: async (kind, { after = '', limit }) =>
      await use(async (database) => {
        if (kind === 'blobs') return await listBlobs(database, after, limit);
        const records = database.collection<{ _id: string }>(COLLECTIONS[kind]).find({ _id: { $gt: after } });
        return (await records.project({ _id: 1 }).sort({ _id: 1 }).limit(limit).toArray()).map(({ _id }) =>
          String(_id),
        );
      }),
    leases: openLeases(use),
    ping: async () => await connection.ping(),
    close: async () => await connection.close(),
  };
}

async function replace(database: Db, name: string, revision: number | undefined, value: string): Promise<boolean> {
  const values = valuesOf(database);
  if (revision !== undefined) {
    const change = { $set: { value }, $inc: { revision: 1 } };
    return (await values.updateOne({ _id: name, revision }, change)).matchedCount > 0;
  }
  try {
    await values.insertOne({ _id: name, value, revision: 1 });
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** Retries an upsert after a duplicate key, because another process has inserted the document. */
async function retryOnDuplicate<T>(action: () => Promise<T>): Promise<T> {
  for (let attempts = MAX_ATTEMPTS; attempts > 0; attempts -= 1) {
    try {
      return await action();
    } catch (error) {
      if (!isDuplicateKey(error) && !hasDuplicateKeysOnly(error)) throw error;
    }
  }
  throw new StoreUnavailable('MongoDB: other processes are writing the same document');
}

const COLLECTIONS = { revoked_keys: 'revoked_keys', values: 'named_values' } as const;

/** Returns the id of a row, so that rows are ordered by blob and then by number. */
function rowId(sha256: string, row: number): string {
  return `${sha256} ${String(row).padStart(4, '0')}`;
}

async function listBlobs(database: Db, after: string, limit: number): Promise<readonly string[]> {
  const firstRows = { $and: [{ _id: { $gt: rowId(after, 0) } }, { _id: / 0000$/ }] };
  const found = blobRowsOf(database).find(firstRows).project({ _id: 1 }).sort({ _id: 1 }).limit(limit);
  return (await found.toArray()).map(({ _id }) => String(_id).slice(0, -' 0000'.length));
}

function blobRowsOf(database: Db): Collection<BlobRow> {
  return database.collection<BlobRow>('blob_rows');
}

function revokedOf(database: Db): Collection<{ readonly _id: string; readonly revoked: boolean }> {
  return database.collection('revoked_keys');
}

function valuesOf(database: Db): Collection<NamedValue> {
  return database.collection<NamedValue>('named_values');
}

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
function openLeases(use: <T>(action: (database: Db) => Promise<T>) => Promise<T>): Leases {
  const on = async <T>(action: (leases: Collection<StoredLease>) => Promise<T>): Promise<T> =>
    await use(async (database) => await action(database.collection<StoredLease>('leases')));
  return {
    acquireLease: async (name, holder, timeToLiveMs) =>
      await on(async (leases) => {
        await createLease(leases, name);
        const isExpired = { $expr: { $lt: ['$renewedAt', renewedBy(timeToLiveMs)] } };
        const free = { _id: name, $or: [{ holder: null }, { holder }, isExpired] };
        const change = { $set: { holder }, $inc: { token: 1 }, $currentDate: { renewedAt: true } } as const;
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
