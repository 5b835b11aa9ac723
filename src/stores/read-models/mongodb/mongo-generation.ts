import type { Collection } from 'mongodb';
import type { CallerKind, MongoConnection } from '../../mongodb/connection.ts';
import type {
  CollectionDefinition,
  CollectionWrite,
  DocumentReader,
  StoredDocument,
  WriteStep,
} from '../read-models.ts';
import { countIndex, find, findParked, scanIndex } from './find.ts';
import { collectionOf, fromStoredForm, type MongoDefinition, type StoredForm } from './stored-form.ts';
import { chunksOf, prepareWrites, writeChunk } from './write.ts';

interface OpenCollection {
  readonly collection: Collection<StoredForm>;
  readonly definition: MongoDefinition;
}

export function inGeneration(definitions: readonly CollectionDefinition[], prefix: string): readonly MongoDefinition[] {
  return definitions.map(({ name, version, indexes }) => ({
    name,
    version,
    indexes,
    collectionName: `${prefix}${name}`,
  }));
}

type Documents = Omit<DocumentReader, 'checkpoint'> & {
  readonly writeDocuments: (steps: readonly WriteStep[]) => Promise<void>;
};

/** The documents of the collections of one generation. */
export function documentsIn(connection: MongoConnection, definitions: readonly MongoDefinition[]): Documents {
  const on = async <T>(name: string, action: (one: OpenCollection) => Promise<T>, caller?: CallerKind): Promise<T> => {
    const definition = definitions.find((one) => one.name === name);
    if (definition === undefined) throw new Error(`There is no collection ${name}`);
    return await connection.use(
      async (database) => await action({ definition, collection: collectionOf(database, definition) }),
      caller,
    );
  };
  const writeCollection = async ({ collection: name, documents }: CollectionWrite): Promise<void> => {
    const writes = await on(name, async ({ definition }) => prepareWrites(definition, documents), 'process');
    // Each chunk has a separate time limit, so that a slow server that makes progress does not time out.
    for (const chunk of chunksOf(writes))
      await on(name, async (one) => await writeChunk(one.collection, one.definition, chunk), 'process');
  };
  return {
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
    countIndex: async (name, options) =>
      await on(name, async ({ collection, definition }) => await countIndex(collection, definition, options)),
    parked: async (name, page) => await on(name, async ({ collection }) => await findParked(collection, page)),
    countParked: async (name) =>
      await on(name, async ({ collection }) => await collection.countDocuments({ isParked: true })),
    scan: async (name, { after, limit }) =>
      await on(
        name,
        async (one) => await findAll(one, after === undefined ? {} : { _id: { $gt: after } }, { _id: 1 }, limit),
      ),
    writeDocuments: async (steps) => {
      for (const step of steps) {
        const writes = await Promise.allSettled(step.map(async (one) => await writeCollection(one)));
        for (const written of writes) if (written.status === 'rejected') throw written.reason;
      }
    },
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
