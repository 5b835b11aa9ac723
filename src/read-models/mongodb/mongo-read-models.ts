import type { Collection, Db } from 'mongodb';

import { type Caller, MongoConnection } from '../../mongodb/connection.ts';
import type { ReadModels, StoredDocument } from '../read-models.ts';
import { clearCheckpoint, readCheckpoint, writeCheckpoint } from './catalog.ts';
import {
  dropOtherVersions,
  ensureCollection,
  createIndexes,
  fenceCheckpoint,
  type CollectionsState,
  inspectCollections,
} from './collections.ts';
import { getCounts, NO_COUNT, prepareCounts, scanCounts } from './counts.ts';
import { find, findParked, scanIndex } from './find.ts';
import { checkDefinitions, collectionOf, type MongoDefinition, toMongoDefinitions } from './definitions.ts';
import { fromStoredForm, type StoredForm } from './stored-form.ts';
import { chunksOf, prepareWrites, writeChunk } from './write.ts';

export interface MongoReadModelsOptions {
  readonly url: string;
}

interface OpenCollection {
  readonly collection: Collection<StoredForm>;
  readonly definition: MongoDefinition;
  readonly database: Db;
}

/**
 * Opens read models in MongoDB, standalone or replica set. The collections that are opened together form a generation. Documents are
 * written before the checkpoint: after a crash in between, the same events are folded again.
 */
export function openMongoReadModels({ url }: MongoReadModelsOptions): ReadModels {
  const connection = new MongoConnection(url);
  let opened: ReadonlyMap<string, MongoDefinition> = new Map();

  const definitionOf = (name: string): MongoDefinition => {
    const definition = opened.get(name);
    if (definition === undefined) throw new Error(`The collection ${name} was not opened`);
    return definition;
  };
  const on = async <T>(name: string, action: (one: OpenCollection) => Promise<T>, caller?: Caller): Promise<T> =>
    await connection.use(async (database) => {
      const definition = definitionOf(name);
      return await action({ database, definition, collection: collectionOf(database, definition) });
    }, caller);
  const inspect = async (all: readonly MongoDefinition[]): Promise<CollectionsState> =>
    await connection.use(async (database) => await inspectCollections(database, all));
  return {
    open: async (definitions) => {
      if (opened.size > 0) throw new Error('The read models are open already');
      checkDefinitions(definitions);
      const all = toMongoDefinitions(definitions);
      const { hasCheckpoint, missing } = await inspect(all);
      // Missing collections of a filled generation stay missing until the leader rebuilds all of them (`fenceCheckpoints`).
      const created = hasCheckpoint ? all.filter((one) => !missing.includes(one)) : all;
      for (const one of created) await connection.use(async (database) => await ensureCollection(database, one));
      opened = new Map(all.map((definition) => [definition.name, definition]));
    },
    get: async (name, key) =>
      await on(name, async ({ collection, definition }) => {
        const stored = await collection.findOne({ _id: key });
        return stored === null ? undefined : fromStoredForm(definition, stored);
      }),
    getMany: async (name, keys) =>
      keys.length === 0 ? [] : await on(name, async (one) => await findAll(one, { _id: { $in: [...new Set(keys)] } })),
    find: async (name, query) =>
      await on(name, async ({ collection, definition }) => await find(collection, definition, query)),
    scanIndex: async (name, options) =>
      await on(name, async ({ collection, definition }) => await scanIndex(collection, definition, options)),
    write: async (name, documents, checkpoint, fence, counts = []) => {
      // Each chunk has a separate time limit, so that a slow server that makes progress does not time out.
      const writes = prepareWrites(definitionOf(name), documents);
      for (const chunk of [...chunksOf(prepareCounts(counts)), ...chunksOf(writes)]) {
        await on(
          name,
          async ({ collection, definition }) => await writeChunk(collection, definition, chunk),
          'process',
        );
      }
      await on(
        name,
        async ({ database, definition }) => await writeCheckpoint(database, definition, checkpoint, fence),
        'process',
      );
    },
    getCounts: async (name, keys) => await on(name, async ({ collection }) => await getCounts(collection, keys)),
    scanCounts: async (name, options) =>
      await on(name, async ({ collection }) => await scanCounts(collection, options)),
    fenceCheckpoints: async (fence) => {
      const all = [...opened.values()];
      const { missing } = await inspect(all);
      const forEach = async (
        definitions: readonly MongoDefinition[],
        action: (database: Db, one: MongoDefinition) => Promise<void>,
      ): Promise<void> => {
        for (const one of definitions) await connection.use(async (database) => await action(database, one), 'process');
      };
      await forEach(all, async (database, one) => await fenceCheckpoint(database, one, fence));
      if (missing.length > 0) {
        const others = all.filter((one) => !missing.includes(one));
        // In this order the missing collections are detected again if the process is killed here.
        const missingLast = [...others, ...missing];
        await forEach(missingLast, async (database, one) => await clearCheckpoint(database, one, fence));
      }
      await forEach(all, createIndexes);
      return missing.map(({ name }) => name);
    },
    missing: async () => (await inspect([...opened.values()])).missing.map(({ name }) => name),
    checkpoint: async (name) =>
      await on(name, async ({ database, definition }) => await readCheckpoint(database, definition)),
    parked: async (name, page) => await on(name, async ({ collection }) => await findParked(collection, page)),
    countParked: async (name) =>
      await on(name, async ({ collection }) => await collection.countDocuments({ isParked: true })),
    scan: async (name, { after, limit }) =>
      await on(
        name,
        async (one) =>
          await findAll(one, { ...NO_COUNT, ...(after !== undefined && { _id: { $gt: after } }) }, { _id: 1 }, limit),
      ),
    dropOtherVersions: async () =>
      await connection.use(async (database) => await dropOtherVersions(database, [...opened.values()])),
    ping: async () => await connection.ping(),
    close: async () => await connection.close(),
  };
}

async function findAll(
  { collection, definition }: OpenCollection,
  filter: Parameters<Collection<StoredForm>['find']>[0],
  order?: Readonly<Record<string, 1>>,
  limit?: number,
): Promise<readonly StoredDocument[]> {
  let cursor = collection.find(filter);
  if (order !== undefined) cursor = cursor.sort(order);
  if (limit !== undefined) cursor = cursor.limit(limit);
  return (await cursor.toArray()).map((stored) => fromStoredForm(definition, stored));
}
