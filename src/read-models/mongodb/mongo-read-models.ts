import type { Collection, Db } from 'mongodb';

import { type Caller, MongoConnection } from '../../mongodb/connection.ts';
import type { ReadModels, StoredDocument } from '../read-models.ts';
import { forgetCheckpoint, readCheckpoint, writeCheckpoint } from './catalog.ts';
import {
  dropOtherVersions,
  ensureCollection,
  makeIndexes,
  raiseFence,
  type Standing,
  standingOf,
} from './collections.ts';
import { find } from './find.ts';
import { checkDefinitions, collectionOf, type Placed, placed } from './placement.ts';
import { fromKept, type Kept } from './stored-form.ts';
import { partsOf, ready, writePart } from './write.ts';

export interface MongoReadModelsOptions {
  /** Connection string; its path names the database. */
  readonly url: string;
}

interface Opened {
  readonly collection: Collection<Kept>;
  readonly definition: Placed;
  readonly database: Db;
}

/**
 * Read models in MongoDB, standalone or replica set. What is opened together is a generation, of which each collection is one
 * of its own; `open` makes what is absent, and any number of processes may do so. Documents are written first, the checkpoint
 * after them, so that whoever dies in between only means that the same events are folded again.
 */
export function openMongoReadModels({ url }: MongoReadModelsOptions): ReadModels {
  const connection = new MongoConnection(url);
  let opened: ReadonlyMap<string, Placed> = new Map();

  const definitionOf = (name: string): Placed => {
    const definition = opened.get(name);
    if (definition === undefined) throw new Error(`The collection ${name} was not opened`);
    return definition;
  };
  const on = async <T>(name: string, action: (one: Opened) => Promise<T>, caller?: Caller): Promise<T> =>
    await connection.use(async (database) => {
      const definition = definitionOf(name);
      return await action({ database, definition, collection: collectionOf(database, definition) });
    }, caller);
  const standing = async (all: readonly Placed[]): Promise<Standing> =>
    await connection.use(async (database) => await standingOf(database, all));
  return {
    open: async (definitions) => {
      if (opened.size > 0) throw new Error('The read models are open already');
      checkDefinitions(definitions);
      const all = placed(definitions);
      const { isFilled, missing } = await standing(all);
      // Made here, they could no longer be told from such as hold all that they should: whoever leads makes all anew.
      const made = isFilled ? all.filter((one) => !missing.includes(one)) : all;
      for (const one of made) await connection.use(async (database) => await ensureCollection(database, one));
      opened = new Map(all.map((definition) => [definition.name, definition]));
    },
    get: async (name, key) =>
      await on(name, async ({ collection, definition }) => {
        const kept = await collection.findOne({ _id: key });
        return kept === null ? undefined : fromKept(definition, kept);
      }),
    getMany: async (name, keys) =>
      keys.length === 0 ? [] : await on(name, async (one) => await many(one, { _id: { $in: [...new Set(keys)] } })),
    find: async (name, query) =>
      await on(name, async ({ collection, definition }) => await find(collection, definition, query)),
    write: async (name, documents, checkpoint, fence) => {
      // The time limit is that of a part: a slow server is waited for as long as it makes progress.
      for (const part of partsOf(ready(definitionOf(name), documents))) {
        await on(name, async ({ collection, definition }) => await writePart(collection, definition, part), 'process');
      }
      await on(
        name,
        async ({ database, definition }) => await writeCheckpoint(database, definition, checkpoint, fence),
        'process',
      );
    },
    raiseFence: async (fence) => {
      const all = [...opened.values()];
      const { missing } = await standing(all);
      const ofEach = async (
        some: readonly Placed[],
        action: (database: Db, one: Placed) => Promise<void>,
      ): Promise<void> => {
        for (const one of some) await connection.use(async (database) => await action(database, one), 'process');
      };
      await ofEach(all, async (database, one) => await raiseFence(database, one, fence));
      if (missing.length > 0) {
        const others = all.filter((one) => !missing.includes(one));
        // Whoever is killed in between leaves the missing ones to be noticed again, as long as their checkpoints are there.
        const missingLast = [...others, ...missing];
        await ofEach(missingLast, async (database, one) => await forgetCheckpoint(database, one, fence));
      }
      await ofEach(all, makeIndexes);
      return missing.map(({ name }) => name);
    },
    missing: async () => (await standing([...opened.values()])).missing.map(({ name }) => name),
    checkpoint: async (name) =>
      await on(name, async ({ database, definition }) => await readCheckpoint(database, definition)),
    parked: async (name) => await on(name, async (one) => await many(one, { isParked: true }, { position: 1, _id: 1 })),
    scan: async (name, { after, limit }) =>
      await on(
        name,
        async (one) => await many(one, after === undefined ? {} : { _id: { $gt: after } }, { _id: 1 }, limit),
      ),
    dropOtherVersions: async () =>
      await connection.use(async (database) => await dropOtherVersions(database, [...opened.values()])),
    ping: async () => await connection.ping(),
    close: async () => await connection.close(),
  };
}

async function many(
  { collection, definition }: Opened,
  filter: Parameters<Collection<Kept>['find']>[0],
  order?: Readonly<Record<string, 1>>,
  limit?: number,
): Promise<readonly StoredDocument[]> {
  let cursor = collection.find(filter);
  if (order !== undefined) cursor = cursor.sort(order);
  if (limit !== undefined) cursor = cursor.limit(limit);
  return (await cursor.toArray()).map((kept) => fromKept(definition, kept));
}
