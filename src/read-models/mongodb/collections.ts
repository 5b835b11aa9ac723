import { type Db, MongoServerError } from 'mongodb';

import { StoreUnavailable } from '../../event-store/event-store.ts';
import type { Fence } from '../../records/records.ts';
import { enter, raiseToken, readCheckpoint, refuseGreater, removeEntry } from './catalog.ts';
import { indexesOf } from './indexes.ts';
import { collectionOf, type Placed } from './placement.ts';

const NAMESPACE_NOT_FOUND = 26;

/**
 * Whether a collection is gone, or was made anew by a mere write, while its checkpoint says that it was filled: a checkpoint is
 * written only where the indexes have been made. Asked before they are made again.
 */
export async function wasDropped(database: Db, definition: Placed): Promise<boolean> {
  if ((await readCheckpoint(database, definition)) === undefined) return false;
  const names = new Set(await indexNames(database, definition));
  return indexesOf(definition).some(({ name }) => name !== undefined && !names.has(name));
}

async function indexNames(database: Db, definition: Placed): Promise<readonly (string | undefined)[]> {
  try {
    return (await collectionOf(database, definition).indexes()).map(({ name }) => name);
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NAMESPACE_NOT_FOUND) return [];
    throw error;
  }
}

/** Makes what is absent; any number of processes may do so at once. @throws when a version was made with other indexes */
export async function ensureCollection(database: Db, definition: Placed): Promise<void> {
  await enter(database, definition);
  await collectionOf(database, definition).createIndexes([...indexesOf(definition)]);
}

/** Makes a collection that was dropped meanwhile anew, and its indexes, before anybody says how far it is. @throws {Fenced} */
export async function raiseFence(database: Db, definition: Placed, fence: Fence): Promise<void> {
  await ensureCollection(database, definition);
  if (await raiseToken(database, definition, fence)) return;
  await refuseGreater(database, definition, fence);
  throw new StoreUnavailable(`MongoDB: ${definition.place} was dropped while it was made`);
}

/** Drops every other version of these collections, and what other generations have of them. */
export async function dropOtherVersions(database: Db, definitions: readonly Placed[]): Promise<void> {
  const found = await database.listCollections({}, { nameOnly: true }).toArray();
  for (const definition of definitions) {
    const isVersion = new RegExp(`^${definition.name}_v[0-9]+(_[0-9a-f]+)?$`);
    for (const { name } of found.filter((one) => isVersion.test(one.name) && one.name !== definition.place)) {
      await removeEntry(database, name);
      await database.dropCollection(name);
    }
  }
}
