import { createHash } from 'node:crypto';
import { Binary, type Collection, type Db, type UpdateFilter } from 'mongodb';
import { StoreUnavailable } from '../../shared/store-unavailable.ts';
import { hasDuplicateKeysOnly, isDuplicateKey, MongoConnection } from '../../mongodb/connection.ts';
import { rowsOf } from '../blobs.ts';
import { type Fence, WriterFenced, type Records } from '../records.ts';
import { leaseFunctions } from './leases.ts';

interface BlobRow {
  readonly _id: string;
  readonly bytes: Binary;
}

interface NamedValue {
  readonly _id: string;
  readonly value?: string;
  readonly token?: number;
}

const MAX_ATTEMPTS = 5;

/** Opens records in MongoDB, standalone or replica set. Writes return when they are in the journals of the majority. */
export function openMongoRecords({ url }: { readonly url: string }): Records {
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
    setValue: async (name, value, fence) =>
      await use(async (database) => {
        if (fence === undefined) {
          const set = { $set: { value } };
          await retryOnDuplicate(async () => await valuesOf(database).updateOne({ _id: name }, set, { upsert: true }));
        } else {
          await updateFenced(fence, database, name, { $set: { value, token: fence.token } });
        }
      }, 'process'),
    replaceValue: async (name, expected, value) =>
      await use(async (database) => await replace(database, name, expected, value)),
    fenceValue: async (name, fence) =>
      await use(
        async (database) => (await updateFenced(fence, database, name, { $set: { token: fence.token } }))?.value,
        'process',
      ),
    list: async (kind, { after = '', limit }) =>
      await use(async (database) => {
        if (kind === 'blobs') return await listBlobs(database, after, limit);
        const records = collectionOf(database, kind).find({ _id: { $gt: after }, ...FILTERS[kind] });
        return (await records.project({ _id: 1 }).sort({ _id: 1 }).limit(limit).toArray()).map(({ _id }) =>
          String(_id),
        );
      }),
    ...leaseFunctions(use),
    ping: async () => await connection.ping(),
    close: async () => await connection.close(),
  };
}

/** Retries when another process fences the value concurrently, which makes the upsert fail. */
async function replace(database: Db, name: string, expected: string | undefined, value: string): Promise<boolean> {
  const values = valuesOf(database);
  if (expected !== undefined)
    return (await values.updateOne({ _id: name, value: expected }, { $set: { value } })).matchedCount > 0;
  return await retryOnDuplicate(async () => {
    if ((await values.findOne({ _id: name }))?.value !== undefined) return false;
    await values.updateOne({ _id: name, value: { $exists: false } }, { $set: { value } }, { upsert: true });
    return true;
  });
}

/** Updates a value unless a greater token is stored, and returns it. @throws {WriterFenced} */
async function updateFenced(
  { token }: Fence,
  database: Db,
  name: string,
  update: UpdateFilter<NamedValue>,
): Promise<NamedValue | null> {
  const allowed = { _id: name, token: { $not: { $gt: token } } };
  const options = { upsert: true, returnDocument: 'after' } as const;
  return await retryOnDuplicate(
    async () => await valuesOf(database).findOneAndUpdate(allowed, update, options),
    async () => {
      const stored = await valuesOf(database).findOne({ _id: name });
      if (stored?.token !== undefined && stored.token > token) throw new WriterFenced(name, stored.token);
    },
  );
}

/**
 * Retries an upsert after a duplicate key: another process has inserted the document, or the document does not match the condition of the
 * upsert, in which case `onDuplicate` throws.
 */
async function retryOnDuplicate<T>(
  action: () => Promise<T>,
  onDuplicate: () => Promise<void> = async () => {},
): Promise<T> {
  for (let attempts = MAX_ATTEMPTS; attempts > 0; attempts -= 1) {
    try {
      return await action();
    } catch (error) {
      if (!isDuplicateKey(error) && !hasDuplicateKeysOnly(error)) throw error;
      await onDuplicate();
    }
  }
  throw new StoreUnavailable('MongoDB: other processes are writing the same document');
}

/** A value without text was only fenced. */
const FILTERS = { revoked_keys: {}, values: { value: { $exists: true } } } as const;

function collectionOf(
  database: Db,
  kind: keyof typeof FILTERS,
): Collection<{ readonly _id: string; readonly value?: string }> {
  return database.collection({ revoked_keys: 'revoked_keys', values: 'named_values' }[kind]);
}

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
