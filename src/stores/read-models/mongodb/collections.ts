import { type Db, MongoServerError, type CreateIndexesOptions, type IndexDescription } from 'mongodb';
import { NO_SOCKET_TIMEOUT } from '../../mongodb/connection.ts';
import { StoreUnavailable } from '../../shared/store-unavailable.ts';
import type { Fence } from '../fence.ts';
import { addEntry, findEntries, setToken, rejectGreaterToken, removeEntry } from './catalog.ts';
import { buildOf, type CollectionDefinition } from '../read-models.ts';
import { collectionOf, type MongoDefinition, fieldOf } from './stored-form.ts';

export function listIndexOf(index?: string): string {
  return index === undefined ? 'list' : `list by ${index}`;
}

/**
 * Returns the indexes of a collection. Indexes of lists contain only documents with a body, in the order of lists, so
 * that a page for one value needs no sort. They contain `listed` or `isParked`, without which MongoDB reads the
 * document of every entry. A collection without one of these names counts as dropped (`inspectCollections`): adding or
 * renaming an index makes every installation rebuild its read models.
 */
function indexesOf({ indexes }: CollectionDefinition): readonly IndexDescription[] {
  const order = { createdAt: 1, _id: 1, listed: 1 } as const;
  const listed: CreateIndexesOptions = { partialFilterExpression: { listed: true } };
  return [
    { key: order, name: listIndexOf(), ...listed },
    ...indexes.map((index) => ({ key: { [fieldOf(index)]: 1, ...order }, name: listIndexOf(index), ...listed })),
    {
      key: { position: 1, _id: 1, isParked: 1 },
      name: 'parked by position',
      partialFilterExpression: { isParked: true },
    },
  ] as IndexDescription[];
}

const NAMESPACE_NOT_FOUND = 26;

export interface CollectionsState {
  readonly hasCheckpoint: boolean;
  /** Collections that have no entry, or were dropped after their first checkpoint. */
  readonly missing: readonly MongoDefinition[];
}

/**
 * Finds missing collections. A collection with a checkpoint but without its indexes was dropped; a later write may have
 * recreated it without indexes.
 */
export async function inspectCollections(
  database: Db,
  definitions: readonly MongoDefinition[],
): Promise<CollectionsState> {
  const entries = await findEntries(database, definitions);
  const missing: MongoDefinition[] = [];
  for (const definition of definitions) {
    const entry = entries.get(definition.collectionName);
    if (entry === undefined || (entry.position !== undefined && !(await hasIndexes(database, definition))))
      missing.push(definition);
  }
  return { hasCheckpoint: [...entries.values()].some(({ position }) => position !== undefined), missing };
}

async function hasIndexes(database: Db, definition: MongoDefinition): Promise<boolean> {
  const names = new Set(await indexNames(database, definition));
  return indexesOf(definition).every(({ name }) => name === undefined || names.has(name));
}

async function indexNames(database: Db, definition: MongoDefinition): Promise<readonly (string | undefined)[]> {
  try {
    return (await collectionOf(database, definition).indexes()).map(({ name }) => name);
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NAMESPACE_NOT_FOUND) return [];
    throw error;
  }
}

/**
 * Creates the entry and the indexes if they are missing; safe with concurrent processes.
 * @throws when the entry has other indexes
 */
export async function ensureCollection(database: Db, definition: MongoDefinition): Promise<void> {
  await addEntry(database, definition);
  await createIndexes(database, definition);
}

export async function createIndexes(database: Db, definition: MongoDefinition): Promise<void> {
  await collectionOf(database, definition).createIndexes([...indexesOf(definition)], NO_SOCKET_TIMEOUT);
}

/**
 * Rejects checkpoints with a smaller token from now on. Adds the entry if it is missing.
 * @throws {WriterFenced} when a greater token is stored
 */
export async function fenceCheckpoint(database: Db, definition: MongoDefinition, fence: Fence): Promise<void> {
  await addEntry(database, definition);
  if (await setToken(database, definition, fence)) return;
  await rejectGreaterToken(database, definition, fence);
  throw new StoreUnavailable(`MongoDB: ${definition.collectionName} was dropped while it was created`);
}

export async function dropOtherVersions(database: Db, definitions: readonly MongoDefinition[]): Promise<void> {
  const found = await database.listCollections({}, { nameOnly: true }).toArray();
  for (const definition of definitions) {
    const isVersion = new RegExp(`^${definition.name}(_r[0-9a-f]{12})?_v[0-9]+(_[0-9a-f]+)?$`);
    const isOther = ({ name }: { readonly name: string }): boolean =>
      isVersion.test(name) && buildIn(definition, name) === null;
    for (const { name } of found.filter(isOther)) await dropCollection(database, name);
  }
}

export interface StoredCollection {
  readonly name: string;
  readonly logical: string;
  /** Undefined for the first documents. */
  readonly build: string | undefined;
}

export async function storedCollections(
  database: Db,
  definitions: readonly MongoDefinition[],
): Promise<readonly StoredCollection[]> {
  const found = await database.listCollections({}, { nameOnly: true }).toArray();
  return definitions.flatMap((definition) =>
    found.flatMap(({ name }) => {
      const build = buildIn(definition, name);
      return build === null ? [] : [{ name, logical: definition.name, build }];
    }),
  );
}

/**
 * Returns the build of a collection of this generation: undefined for the first, null for another collection or
 * generation.
 */
function buildIn({ name, suffix }: MongoDefinition, collectionName: string): string | undefined | null {
  return collectionName.endsWith(suffix) ? buildOf(name, collectionName.slice(0, -suffix.length)) : null;
}

export async function dropCollection(database: Db, name: string): Promise<void> {
  await removeEntry(database, name);
  await database.dropCollection(name);
}
