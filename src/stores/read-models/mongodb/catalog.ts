import type { Collection, Db } from 'mongodb';
import { isDuplicateKey } from '../../mongodb/connection.ts';
import { type Fence, WriterFenced } from '../fence.ts';
import type { Position } from '../../event-log/event-log.ts';
import { StoreUnavailable } from '../../shared/store-unavailable.ts';
import { declaredIndexes } from '../collection-definitions.ts';
import type { Builds } from '../read-models.ts';
import { type MongoDefinition, positionText } from './stored-form.ts';

/** Entry of a collection: its indexes, checkpoint and fencing token. */
interface Entry {
  readonly _id: string;
  readonly indexes: string;
  readonly token: number;
  readonly position?: string;
  /** Served builds of the collections of a generation, in the entry of its published position. */
  readonly builds?: Builds;
  /** The builds may change at any moment, so readers must read them with every request. */
  readonly isSwitching?: boolean;
}

const CATALOG = 'read_model_checkpoints';

function catalogOf(database: Db): Collection<Entry> {
  return database.collection<Entry>(CATALOG);
}

/**
 * Adds the entry of a collection if it is missing; safe with concurrent processes.
 * @throws when the entry has other indexes
 */
export async function addEntry(database: Db, definition: MongoDefinition): Promise<void> {
  const { name, version } = definition;
  const indexes = declaredIndexes(definition);
  const one = { _id: definition.collectionName };
  const added = catalogOf(database).updateOne(one, { $setOnInsert: { indexes, token: 0 } }, { upsert: true });
  await added.catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
  });
  const entry = await catalogOf(database).findOne(one);
  if (entry === null || entry.indexes === indexes) return;
  throw new Error(
    `${name} version ${version} was created with the indexes (${entry.indexes}) but declares (${indexes}): raise its version`,
  );
}

export async function findEntries(
  database: Db,
  definitions: readonly MongoDefinition[],
): Promise<ReadonlyMap<string, Pick<Entry, 'position'>>> {
  const names = definitions.map(({ collectionName }) => collectionName);
  const entries = await catalogOf(database)
    .find({ _id: { $in: names } })
    .toArray();
  return new Map(entries.map((entry) => [entry._id, entry]));
}

export async function readCheckpoint(database: Db, definition: MongoDefinition): Promise<Position | undefined> {
  const entry = await catalogOf(database).findOne({ _id: definition.collectionName });
  return entry?.position === undefined ? undefined : BigInt(entry.position);
}

/**
 * Moves the checkpoint forward, never back.
 * @throws {WriterFenced}
 * @throws {StoreUnavailable} when the collection was dropped meanwhile
 */
export async function writeCheckpoint(
  database: Db,
  definition: MongoDefinition,
  checkpoint: Position,
  fence: Fence | undefined,
): Promise<void> {
  const position = positionText(checkpoint);
  const one = { _id: definition.collectionName };
  const catalog = catalogOf(database);
  const { matchedCount } =
    fence === undefined
      ? await catalog.updateOne(one, { $max: { position } })
      : await catalog.updateOne({ ...one, token: { $lte: fence.token } }, { $max: { position, token: fence.token } });
  if (matchedCount > 0) return;
  if (fence !== undefined) await rejectGreaterToken(database, definition, fence);
  throw new StoreUnavailable(`MongoDB: ${one._id} was dropped while it was in use`);
}

export async function clearCheckpoint(
  database: Db,
  { collectionName }: MongoDefinition,
  { token }: Fence,
): Promise<void> {
  await catalogOf(database).updateOne({ _id: collectionName, token }, { $unset: { position: '' } });
}

/** @throws {WriterFenced} when the entry exists and has a greater token */
export async function rejectGreaterToken(database: Db, definition: MongoDefinition, { token }: Fence): Promise<void> {
  const entry = await catalogOf(database).findOne({ _id: definition.collectionName });
  if (entry !== null && entry.token > token) throw new WriterFenced(definition.name, entry.token);
}

export async function setToken(database: Db, { collectionName }: MongoDefinition, { token }: Fence): Promise<boolean> {
  const allowed = { _id: collectionName, token: { $lte: token } };
  return (await catalogOf(database).updateOne(allowed, { $set: { token } })).matchedCount > 0;
}

export async function readBuilds(
  database: Db,
  collectionName: string,
): Promise<{ readonly builds: Builds; readonly isSwitching: boolean }> {
  const { builds = {}, isSwitching = false } = (await catalogOf(database).findOne({ _id: collectionName })) ?? {};
  return { builds, isSwitching };
}

/**
 * Changes the served builds or the announcement of a change.
 * @throws {WriterFenced}
 * @throws {StoreUnavailable} when the entry is missing
 */
export async function writeBuilds(
  database: Db,
  definition: MongoDefinition,
  change: { readonly builds?: Builds; readonly isSwitching: boolean },
  fence: Fence | undefined,
): Promise<void> {
  const one = { _id: definition.collectionName, ...(fence && { token: { $lte: fence.token } }) };
  const { matchedCount } = await catalogOf(database).updateOne(one, { $set: change });
  if (matchedCount > 0) return;
  if (fence !== undefined) await rejectGreaterToken(database, definition, fence);
  throw new StoreUnavailable(`MongoDB: ${definition.collectionName} was dropped while it was in use`);
}

export async function removeEntry(database: Db, collectionName: string): Promise<void> {
  await catalogOf(database).deleteOne({ _id: collectionName });
}
