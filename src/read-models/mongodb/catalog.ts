import type { Collection, CreateIndexesOptions, Db, IndexDescription } from 'mongodb';

import { isDuplicateKey } from '../../mongodb/connection.ts';
import { type Fence, Fenced } from '../../records/records.ts';
import { type Position, StoreUnavailable } from '../../event-store/event-store.ts';
import { generationOf } from '../generation.ts';
import type { CollectionDefinition } from '../read-models.ts';
import { fieldOf, type Kept, positionText } from './stored-form.ts';

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
const NAME = /^[a-z][a-z0-9_-]*$/i;

/** A collection and what MongoDB calls it. */
export interface Placed extends CollectionDefinition {
  readonly place: string;
}

/** Gives each collection the place that it has as one of these. */
export function placed(definitions: readonly CollectionDefinition[]): readonly Placed[] {
  const generation = generationOf(definitions);
  const end = generation === undefined ? '' : `_${generation}`;
  return definitions.map((definition) => ({ ...definition, place: `${definition.name}_v${definition.version}${end}` }));
}

export function collectionOf(database: Db, { place }: Placed): Collection<Kept> {
  return database.collection<Kept>(place);
}

function catalogOf(database: Db): Collection<Entry> {
  return database.collection<Entry>(CATALOG);
}

/** @throws when a collection cannot be kept as it is declared. */
export function checkDefinitions(definitions: readonly CollectionDefinition[]): void {
  const names = new Set(definitions.map(({ name }) => name));
  if (names.size < definitions.length) throw new Error('A collection can be opened in one version only');
  for (const { name, version, indexes } of definitions) {
    if (!NAME.test(name)) throw new Error(`${name} cannot name a collection`);
    if (!Number.isSafeInteger(version) || version < 1) throw new Error(`${name} has the version ${version}`);
    if (new Set(indexes).size < indexes.length) throw new Error(`Two indexes of ${name} have one name`);
  }
}

/** Makes what is absent; any number of processes may do so at once. @throws when a version was made with other indexes */
export async function ensureCollections(database: Db, definitions: readonly Placed[]): Promise<void> {
  for (const definition of definitions) await ensure(database, definition);
}

async function ensure(database: Db, definition: Placed): Promise<void> {
  await enter(database, definition);
  await collectionOf(database, definition).createIndexes([...indexesOf(definition)]);
}

async function enter(database: Db, definition: Placed): Promise<void> {
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

/**
 * Only documents with a body are listed, and only they are in the indexes of lists; each index holds its documents in the
 * order of lists, so that a page by one value is read without sorting.
 */
function indexesOf({ indexes }: CollectionDefinition): readonly IndexDescription[] {
  const order = { createdAt: 1, _id: 1 } as const;
  const listed: CreateIndexesOptions = { partialFilterExpression: { listed: true } };
  return [
    { key: order, name: 'list', ...listed },
    ...indexes.map((index) => ({ key: { [fieldOf(index)]: 1, ...order }, name: `list by ${index}`, ...listed })),
    { key: { position: 1, _id: 1 }, name: 'parked', partialFilterExpression: { isParked: true } },
  ] as IndexDescription[];
}

/** Undefined when the collection has seen nothing yet. */
export async function readCheckpoint(database: Db, definition: Placed): Promise<Position | undefined> {
  const entry = await catalogOf(database).findOne({ _id: definition.place });
  return entry?.position === undefined ? undefined : BigInt(entry.position);
}

/** Moves the checkpoint forward, never back. @throws {Fenced} @throws {StoreUnavailable} when the collection was dropped meanwhile */
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

/** @throws {Fenced} when a greater token stands there; not when nothing does */
async function refuseGreater(database: Db, definition: Placed, { token }: Fence): Promise<void> {
  const entry = await catalogOf(database).findOne({ _id: definition.place });
  if (entry !== null && entry.token > token) throw new Fenced(definition.name, entry.token);
}

/** Makes a collection that was dropped meanwhile anew. @throws {Fenced} */
export async function raiseFence(database: Db, definition: Placed, fence: Fence): Promise<void> {
  const { token } = fence;
  const raise = async (): Promise<boolean> => {
    const allowed = { _id: definition.place, token: { $lte: token } };
    return (await catalogOf(database).updateOne(allowed, { $set: { token } })).matchedCount > 0;
  };
  if (await raise()) return;
  await refuseGreater(database, definition, fence);
  await ensure(database, definition);
  if (await raise()) return;
  await refuseGreater(database, definition, fence);
  throw new StoreUnavailable(`MongoDB: ${definition.place} was dropped while it was made`);
}

/** Drops every other version of these collections, and what other generations have of them. */
export async function dropOtherVersions(database: Db, definitions: readonly Placed[]): Promise<void> {
  const found = await database.listCollections({}, { nameOnly: true }).toArray();
  for (const definition of definitions) {
    const isVersion = new RegExp(`^${definition.name}_v[0-9]+(_[0-9a-f]+)?$`);
    for (const { name } of found.filter((one) => isVersion.test(one.name) && one.name !== definition.place)) {
      await catalogOf(database).deleteOne({ _id: name });
      await database.dropCollection(name);
    }
  }
}
