import { setTimeout as pause } from 'node:timers/promises';
import type { Collection, Db } from 'mongodb';
import { type CallerKind, MongoConnection } from '../../mongodb/connection.ts';
import type { Fence } from '../fence.ts';
import {
  type Builds,
  type CollectionWrite,
  type DocumentStore,
  PUBLISHED_POSITION,
  type ReadModels,
  type StoredDocument,
} from '../read-models.ts';
import { clearCheckpoint, readCheckpoint, writeBuilds, writeCheckpoint } from './catalog.ts';
import {
  dropCollection,
  dropOtherVersions,
  ensureCollection,
  createIndexes,
  fenceCheckpoint,
  type CollectionsState,
  inspectCollections,
  type StoredCollection,
  storedCollections,
} from './collections.ts';
import { find, findParked, scanIndex } from './find.ts';
import { checkDefinitions } from '../collection-definitions.ts';
import {
  collectionOf,
  inBuild,
  type MongoDefinition,
  toMongoDefinitions,
  fromStoredForm,
  type StoredForm,
} from './stored-form.ts';
import { ANNOUNCED_FOR_MS, ServedBuilds } from './served-builds.ts';
import { chunksOf, prepareWrites, writeChunk } from './write.ts';

interface OpenCollection {
  readonly collection: Collection<StoredForm>;
  readonly definition: MongoDefinition;
  readonly database: Db;
}

/**
 * Opens read models in MongoDB, standalone or replica set. The collections that are opened together form a generation.
 * Documents are written before the checkpoint: after a crash in between, the same events are folded again.
 */
export function openMongoReadModels({ url }: { readonly url: string }): ReadModels {
  const connection = new MongoConnection(url);
  let opened: readonly MongoDefinition[] = [];
  let served = new ServedBuilds(undefined);
  const currentBuilds = async (caller?: CallerKind): Promise<Builds> =>
    await connection.use(async (database) => await served.current(database), caller);
  const readModels: ReadModels = {
    ...readModelsOn(connection, () => opened, currentBuilds),
    open: async (definitions) => {
      if (opened.length > 0) throw new Error('The read models are open already');
      checkDefinitions(definitions);
      const logical = toMongoDefinitions(definitions);
      const entry = logical.find(({ name }) => name === PUBLISHED_POSITION);
      served = new ServedBuilds(entry?.collectionName);
      const builds = await currentBuilds();
      const all = logical.map((one) => inBuild(one, builds));
      const { hasCheckpoint, missing } = await connection.use(
        async (database) => await inspectCollections(database, all),
      );
      // Missing collections of a filled generation stay missing until the leader rebuilds all of them
      // (`fenceCheckpoints`).
      const created = hasCheckpoint ? all.filter((one) => !missing.includes(one)) : all;
      for (const one of created)
        await connection.use(async (database) => await ensureCollection(database, one), 'index build');
      opened = logical;
    },
    dropOtherVersions: async () => await connection.use(async (database) => await dropOtherVersions(database, opened)),
    openBuild: async (build, names) => {
      const definitions = opened.filter(({ name }) => names.includes(name));
      const builds = Object.fromEntries(names.map((name) => [name, build]));
      for (const one of definitions)
        await connection.use(async (database) => await ensureCollection(database, inBuild(one, builds)), 'index build');
      await connection.use(
        async (database) => await writeBuilds(database, publishedIn(opened), { isSwitching: true }, undefined),
        'process',
      );
      await pause(ANNOUNCED_FOR_MS);
      return {
        ...readModels,
        ...readModelsOn(
          connection,
          () => definitions,
          async () => builds,
        ),
        close: async () => {},
      };
    },
    builds: async () => await connection.use(async (database) => await served.read(database), 'process'),
    serveBuilds: async (builds, fence) => {
      await connection.use(async (database) => {
        const all = { ...(await served.read(database)), ...builds };
        await writeBuilds(database, publishedIn(opened), { builds: all, isSwitching: false }, fence);
        await served.read(database);
      }, 'process');
    },
    dropBuilds: async (openBuilds) => {
      const stored = await connection.use(async (database) => await storedCollections(database, opened), 'process');
      const open = await openBuilds();
      await connection.use(async (database) => {
        const builds = await served.read(database);
        const isUnused = ({ logical, build }: StoredCollection): boolean =>
          build !== builds[logical] && (build === undefined || !open.includes(build));
        for (const { name } of stored.filter(isUnused)) await dropCollection(database, name);
      }, 'process');
    },
    close: async () => await connection.close(),
  };
  return readModels;
}

function publishedIn(definitions: readonly MongoDefinition[]): MongoDefinition {
  const published = definitions.find(({ name }) => name === PUBLISHED_POSITION);
  if (published === undefined) throw new Error(`Builds need the collection ${PUBLISHED_POSITION}`);
  return published;
}

function readModelsOn(
  connection: MongoConnection,
  definitions: () => readonly MongoDefinition[],
  builds: (caller?: CallerKind) => Promise<Builds>,
): DocumentStore & Pick<ReadModels, 'fenceCheckpoints' | 'createListIndexes'> {
  const locate = async (name: string, caller?: CallerKind): Promise<MongoDefinition> => {
    const definition = definitions().find((one) => one.name === name);
    if (definition === undefined) throw new Error(`The collection ${name} was not opened`);
    return inBuild(definition, await builds(caller));
  };
  const use = async <T>(
    definition: MongoDefinition,
    action: (one: OpenCollection) => Promise<T>,
    caller?: CallerKind,
  ): Promise<T> =>
    await connection.use(
      async (database) => await action({ database, definition, collection: collectionOf(database, definition) }),
      caller,
    );
  const on = async <T>(name: string, action: (one: OpenCollection) => Promise<T>): Promise<T> =>
    await use(await locate(name), action);
  const all = async (): Promise<readonly MongoDefinition[]> => {
    const current = await builds('process');
    return definitions().map((one) => inBuild(one, current));
  };
  const writeCollection = async (
    { collection: name, documents, checkpoint }: CollectionWrite,
    fence: Fence | undefined,
  ): Promise<void> => {
    const written = await locate(name, 'process');
    const writes = prepareWrites(written, documents);
    // Each chunk has a separate time limit, so that a slow server that makes progress does not time out.
    for (const chunk of chunksOf(writes)) {
      await use(
        written,
        async ({ collection, definition }) => await writeChunk(collection, definition, chunk),
        'process',
      );
    }
    await use(
      written,
      async ({ database, definition }) => await writeCheckpoint(database, definition, checkpoint, fence),
      'process',
    );
  };
  const inspect = async (inspected: readonly MongoDefinition[]): Promise<CollectionsState> =>
    await connection.use(async (database) => await inspectCollections(database, inspected));
  return {
    // They are created with the collections.
    createListIndexes: async () => await Promise.resolve(),
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
    write: async (steps, fence) => {
      for (const step of steps) {
        const writes = await Promise.allSettled(step.map(async (one) => await writeCollection(one, fence)));
        for (const written of writes) if (written.status === 'rejected') throw written.reason;
      }
    },
    fenceCheckpoints: async (fence) => {
      const fenced = await all();
      const { missing } = await inspect(fenced);
      const forEach = async (
        definitions: readonly MongoDefinition[],
        action: (database: Db, one: MongoDefinition) => Promise<void>,
        caller: CallerKind = 'process',
      ): Promise<void> => {
        for (const one of definitions) await connection.use(async (database) => await action(database, one), caller);
      };
      // The missing collections last, so that they are detected again if the process is killed here.
      for (const some of [fenced.filter((one) => !missing.includes(one)), missing]) {
        await forEach(some, async (database, one) => await fenceCheckpoint(database, one, fence));
        if (missing.length === 0) continue;
        await forEach(some, async (database, one) => await clearCheckpoint(database, one, fence));
      }
      await forEach(fenced, createIndexes, 'index build');
      return missing.map(({ name }) => name);
    },
    missing: async () => (await inspect(await all())).missing.map(({ name }) => name),
    checkpoint: async (name) =>
      await on(name, async ({ database, definition }) => await readCheckpoint(database, definition)),
    parked: async (name, page) => await on(name, async ({ collection }) => await findParked(collection, page)),
    countParked: async (name) =>
      await on(name, async ({ collection }) => await collection.countDocuments({ isParked: true })),
    scan: async (name, { after, limit }) =>
      await on(
        name,
        async (one) => await findAll(one, after === undefined ? {} : { _id: { $gt: after } }, { _id: 1 }, limit),
      ),
    ping: async () => await connection.ping(),
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
