import { createHash } from 'node:crypto';

import { Binary, type Collection, type Db, type UpdateFilter } from 'mongodb';

import { StoreUnavailable } from '../../event-store/event-store.ts';
import { isDuplicateKey, MongoConnection } from '../../mongodb/connection.ts';
import { type Fence, Fenced, type RecordKind, type Records } from '../records.ts';
import { leasesOf } from './leases.ts';

interface Blob {
  /** Lower-case hex SHA-256. */
  readonly _id: string;
  readonly bytes: Binary;
}

interface NamedValue {
  /** The name. */
  readonly _id: string;
  readonly value?: string;
  /** Greatest token that anybody wrote it with. */
  readonly token?: number;
}

export interface MongoRecordsOptions {
  /** Connection string; its path names the database. */
  readonly url: string;
}

/** How often a document is made that other processes are making at the same time. */
const TRIES = 5;

/** Records in MongoDB, standalone or replica set. Every write is in the journals of the majority before it is answered. */
export function openMongoRecords({ url }: MongoRecordsOptions): Records {
  const connection = new MongoConnection(url);
  const use: MongoConnection['use'] = async (action, caller) => await connection.use(action, caller);
  return {
    putBlob: async (bytes) => {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const made = { $setOnInsert: { bytes: new Binary(bytes) } };
      await use(
        async (database) =>
          await insist(async () => await blobsOf(database).updateOne({ _id: sha256 }, made, { upsert: true })),
      );
      return sha256;
    },
    getBlob: async (sha256) =>
      await use(async (database) => (await blobsOf(database).findOne({ _id: sha256 }))?.bytes.value()),
    revokeKey: async (keyId) =>
      await use(async (database) => {
        const revoked = { $set: { revoked: true } };
        await insist(async () => await revokedOf(database).updateOne({ _id: keyId }, revoked, { upsert: true }));
      }),
    isKeyRevoked: async (keyId) =>
      await use(async (database) => (await revokedOf(database).findOne({ _id: keyId })) !== null),
    getValue: async (name) => await use(async (database) => (await valuesOf(database).findOne({ _id: name }))?.value),
    setValue: async (name, value, fence) =>
      await use(async (database) => {
        if (fence === undefined) {
          const set = { $set: { value } };
          await insist(async () => await valuesOf(database).updateOne({ _id: name }, set, { upsert: true }));
        } else {
          await changeUnder(fence, database, name, { $set: { value, token: fence.token } });
        }
      }, 'process'),
    replaceValue: async (name, seen, value) =>
      await use(async (database) => await replace(database, name, seen, value)),
    fenceValue: async (name, fence) =>
      await use(
        async (database) => (await changeUnder(fence, database, name, { $set: { token: fence.token } }))?.value,
        'process',
      ),
    list: async (kind, { after = '', limit }) =>
      await use(async (database) => {
        const found = namesIn(database, kind).find({ _id: { $gt: after }, ...IS_KEPT[kind] });
        return (await found.project({ _id: 1 }).sort({ _id: 1 }).limit(limit).toArray()).map(({ _id }) => String(_id));
      }),
    ...leasesOf(use),
    serverTime: () => connection.serverTime,
    ping: async () => await connection.ping(),
    close: async () => await connection.close(),
  };
}

/** A fence that another process sets at the same moment makes the insert fail, and it is tried again. */
async function replace(database: Db, name: string, seen: string | undefined, value: string): Promise<boolean> {
  const values = valuesOf(database);
  if (seen !== undefined)
    return (await values.updateOne({ _id: name, value: seen }, { $set: { value } })).matchedCount > 0;
  return await insist(async () => {
    if ((await values.findOne({ _id: name }))?.value !== undefined) return false;
    await values.updateOne({ _id: name, value: { $exists: false } }, { $set: { value } }, { upsert: true });
    return true;
  });
}

/** Changes a value unless a greater token stands there, and returns it. @throws {Fenced} */
async function changeUnder(
  { token }: Fence,
  database: Db,
  name: string,
  update: UpdateFilter<NamedValue>,
): Promise<NamedValue | null> {
  const allowed = { _id: name, token: { $not: { $gt: token } } };
  const options = { upsert: true, returnDocument: 'after' } as const;
  return await insist(
    async () => await valuesOf(database).findOneAndUpdate(allowed, update, options),
    async () => {
      const stands = await valuesOf(database).findOne({ _id: name });
      if (stands?.token !== undefined && stands.token > token) throw new Fenced(name, stands.token);
    },
  );
}

/**
 * Makes or changes a document. That it is there although it was to be made means that another process made it at the same
 * time, or that it does not meet the condition, which `onDuplicate` finds out.
 */
async function insist<T>(action: () => Promise<T>, onDuplicate: () => Promise<void> = async () => {}): Promise<T> {
  for (let tries = TRIES; tries > 0; tries -= 1) {
    try {
      return await action();
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      await onDuplicate();
    }
  }
  throw new StoreUnavailable('MongoDB: others are writing the same document');
}

/** A value that was only fenced is none. */
const IS_KEPT = { blobs: {}, revoked_keys: {}, values: { value: { $exists: true } } } as const;

function namesIn(database: Db, kind: RecordKind): Collection<{ readonly _id: string; readonly value?: string }> {
  return database.collection({ blobs: 'blobs', revoked_keys: 'revoked_keys', values: 'named_values' }[kind]);
}

function blobsOf(database: Db): Collection<Blob> {
  return database.collection<Blob>('blobs');
}

function revokedOf(database: Db): Collection<{ readonly _id: string; readonly revoked: boolean }> {
  return database.collection('revoked_keys');
}

function valuesOf(database: Db): Collection<NamedValue> {
  return database.collection<NamedValue>('named_values');
}
