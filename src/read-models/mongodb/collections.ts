import { type Db, MongoServerError } from 'mongodb';

import { StoreUnavailable } from '../../event-store/event-store.ts';
import type { Fence } from '../../records/records.ts';
import { enter, entriesOf, raiseToken, refuseGreater, removeEntry } from './catalog.ts';
import { indexesOf } from './indexes.ts';
import { collectionOf, type Placed } from './placement.ts';

const NAMESPACE_NOT_FOUND = 26;

/** What is there of some collections. */
export interface Standing {
  /** Whether any of them has a checkpoint. */
  readonly isFilled: boolean;
  /** Those that are not there, although they were entered and filled; those that were never entered as well. */
  readonly missing: readonly Placed[];
}

/**
 * A collection that was dropped, or made anew by a mere write after that, lacks its indexes; a checkpoint is written only where
 * these have been made.
 */
export async function standingOf(database: Db, definitions: readonly Placed[]): Promise<Standing> {
  const entries = await entriesOf(database, definitions);
  const missing: Placed[] = [];
  for (const definition of definitions) {
    const entry = entries.get(definition.place);
    if (entry === undefined || (entry.position !== undefined && !(await hasIndexes(database, definition))))
      missing.push(definition);
  }
  return { isFilled: [...entries.values()].some(({ position }) => position !== undefined), missing };
}

async function hasIndexes(database: Db, definition: Placed): Promise<boolean> {
  const names = new Set(await indexNames(database, definition));
  return indexesOf(definition).every(({ name }) => name === undefined || names.has(name));
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
  await makeIndexes(database, definition);
}

export async function makeIndexes(database: Db, definition: Placed): Promise<void> {
  await collectionOf(database, definition).createIndexes([...indexesOf(definition)]);
}

/** Enters the collection anew where its entry was deleted, and lets nobody with a smaller token write. @throws {Fenced} */
export async function raiseFence(database: Db, definition: Placed, fence: Fence): Promise<void> {
  await enter(database, definition);
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
