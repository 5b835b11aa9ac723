import { type Db, MongoServerError, type CreateIndexesOptions, type IndexDescription } from 'mongodb';
import { NO_SOCKET_TIMEOUT } from '../../mongodb/connection.ts';
import type { CollectionDefinition } from '../read-models.ts';
import { collectionOf, type MongoDefinition, fieldOf } from './stored-form.ts';

export function listIndexOf(index?: string): string {
  return index === undefined ? 'list' : `list by ${index}`;
}

/**
 * Returns the indexes of a collection. Indexes of lists contain only documents with a body, in the order of lists, so
 * that a page for one value needs no sort. They contain `listed` or `isParked`, without which MongoDB reads the
 * document of every entry. A collection without one of these names counts as dropped: adding or renaming an index makes
 * every installation build its read models again.
 */
function indexesOf({ indexes }: CollectionDefinition): readonly IndexDescription[] {
  const order = { order: 1, listed: 1 } as const;
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

/** A collection that was dropped may exist again without indexes, created by a later write. */
export async function hasIndexes(database: Db, definition: MongoDefinition): Promise<boolean> {
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

/** Creates the indexes that are missing; safe with concurrent processes. */
export async function createIndexes(database: Db, definition: MongoDefinition): Promise<void> {
  await collectionOf(database, definition).createIndexes([...indexesOf(definition)], NO_SOCKET_TIMEOUT);
}
