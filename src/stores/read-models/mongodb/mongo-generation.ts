import type { Collection } from 'mongodb';
import type { CallerKind, MongoConnection } from '../../mongodb/connection.ts';
import type { CollectionDefinition, CollectionWrite, DocumentReader, WriteStep } from '../read-models.ts';
import { countIndex, find, findParked, scanIndex } from './find.ts';
import { collectionOf, fromStoredForm, type MongoDefinition, type StoredForm, toState, toView } from './stored-form.ts';
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

const WITHOUT_VIEW = { projection: { view: 0 } } as const;
const WITHOUT_BODY = { projection: { body: 0 } } as const;

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
        const stored = await collection.findOne({ _id: key }, WITHOUT_VIEW);
        return stored === null ? undefined : toState(definition, stored);
      }),
    getMany: async (name, keys) =>
      keys.length === 0
        ? []
        : await on(name, async ({ collection, definition }) => {
            const found = collection.find({ _id: { $in: [...new Set(keys)] } }, WITHOUT_VIEW);
            return (await found.toArray()).map((stored) => toState(definition, stored));
          }),
    getView: async (name, key) =>
      await on(name, async ({ collection, definition }) => {
        const stored = await collection.findOne({ _id: key }, WITHOUT_BODY);
        return stored === null ? undefined : toView(definition, stored);
      }),
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
      await on(name, async ({ collection, definition }) => {
        const found = collection.find(after === undefined ? {} : { _id: { $gt: after } });
        return (await found.sort({ _id: 1 }).limit(limit).toArray()).map((stored) =>
          fromStoredForm(definition, stored),
        );
      }),
    writeDocuments: async (steps) => {
      for (const step of steps) {
        const writes = await Promise.allSettled(step.map(async (one) => await writeCollection(one)));
        for (const written of writes) if (written.status === 'rejected') throw written.reason;
      }
    },
  };
}
