import type { Collection, Db } from 'mongodb';

import { isDuplicateKey } from '../../mongodb/connection.ts';
import { type Fence, Fenced } from '../../records/records.ts';
import { type Position, StoreUnavailable } from '../../event-store/event-store.ts';
import type { Placed } from './placement.ts';
import { positionText } from './stored-form.ts';

/** Every collection version in the database: what it was made with, how far in the log it is, and who may say so. */
interface Entry {
  /** Name of the collection in MongoDB. */
  readonly _id: string;
  readonly indexes: string;
  /** Greatest token that anybody wrote with. */
  readonly token: number;
  readonly position?: string;
}

const CATALOG = 'read_model_checkpoints';

function catalogOf(database: Db): Collection<Entry> {
  return database.collection<Entry>(CATALOG);
}

/**
 * Enters a collection where it is not; any number of processes may do so at once.
 * @throws when a version was made with other indexes
 */
export async function enter(database: Db, definition: Placed): Promise<void> {
  const { name, version } = definition;
  const indexes = [...definition.indexes].sort().join(', ');
  const one = { _id: definition.place };
  const made = catalogOf(database).updateOne(one, { $setOnInsert: { indexes, token: 0 } }, { upsert: true });
  await made.catch((error: unknown) => {
    // Another process came first.
    if (!isDuplicateKey(error)) throw error;
  });
  const entry = await catalogOf(database).findOne(one);
  if (entry === null || entry.indexes === indexes) return;
  throw new Error(
    `${name} version ${version} was made with the indexes (${entry.indexes}) but declares (${indexes}): raise its version`,
  );
}

/** By the names of the collections in MongoDB; those that were entered. */
export async function entriesOf(
  database: Db,
  definitions: readonly Placed[],
): Promise<ReadonlyMap<string, Pick<Entry, 'position'>>> {
  const places = definitions.map(({ place }) => place);
  const entries = await catalogOf(database)
    .find({ _id: { $in: places } })
    .toArray();
  return new Map(entries.map((entry) => [entry._id, entry]));
}

/** Undefined when the collection has seen nothing yet. */
export async function readCheckpoint(database: Db, definition: Placed): Promise<Position | undefined> {
  const entry = await catalogOf(database).findOne({ _id: definition.place });
  return entry?.position === undefined ? undefined : BigInt(entry.position);
}

/**
 * Moves the checkpoint forward, never back.
 * @throws {Fenced}
 * @throws {StoreUnavailable} when the collection was dropped meanwhile
 */
export async function writeCheckpoint(
  database: Db,
  definition: Placed,
  checkpoint: Position,
  fence: Fence | undefined,
): Promise<void> {
  const position = positionText(checkpoint);
  const one = { _id: definition.place };
  const catalog = catalogOf(database);
  const { matchedCount } =
    fence === undefined
      ? await catalog.updateOne(one, { $max: { position } })
      : await catalog.updateOne({ ...one, token: { $lte: fence.token } }, { $max: { position, token: fence.token } });
  if (matchedCount > 0) return;
  if (fence !== undefined) await refuseGreater(database, definition, fence);
  throw new StoreUnavailable(`MongoDB: ${one._id} was dropped while it was in use`);
}

/** Lets the collection have seen nothing yet. Only for whoever holds its fence: others would say again that all is there. */
export async function forgetCheckpoint(database: Db, { place }: Placed, { token }: Fence): Promise<void> {
  await catalogOf(database).updateOne({ _id: place, token }, { $unset: { position: '' } });
}

/** @throws {Fenced} when a greater token stands there; not when nothing does */
export async function refuseGreater(database: Db, definition: Placed, { token }: Fence): Promise<void> {
  const entry = await catalogOf(database).findOne({ _id: definition.place });
  if (entry !== null && entry.token > token) throw new Fenced(definition.name, entry.token);
}

/** Lets nobody with a smaller token write. Resolves with whether it is so: a greater one may stand there, or nothing. */
export async function raiseToken(database: Db, { place }: Placed, { token }: Fence): Promise<boolean> {
  const allowed = { _id: place, token: { $lte: token } };
  return (await catalogOf(database).updateOne(allowed, { $set: { token } })).matchedCount > 0;
}

export async function removeEntry(database: Db, place: string): Promise<void> {
  await catalogOf(database).deleteOne({ _id: place });
}
