import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { type CallerKind, MongoConnection } from '../../mongodb/connection.ts';
import { checkDefinitions, hashOf } from '../collection-definitions.ts';
import { type CollectionDefinition, isUnused, NoneServed, readerOf, type ReadModels } from '../read-models.ts';
import { createIndexes, hasIndexes } from './collections.ts';
import {
  dropOtherHashes,
  dropUnlisted,
  type Entry,
  type Generations,
  prefixOfEntry,
  removeEntry,
  settingCheckpoint,
  takenOver,
  takeOverEntry,
  toCheckpoint,
  toState,
  updateAsOwner,
} from './generations.ts';
import { documentsIn, inGeneration } from './mongo-generation.ts';
import { ANNOUNCED_FOR_MS, ServedGeneration } from './served-generation.ts';

interface ReadModelsOptions {
  readonly url: string;
  readonly definitions: readonly CollectionDefinition[];
}

/**
 * Opens read models in MongoDB, standalone or replica set, with collections for each generation. Documents are written
 * before the checkpoint: after a crash in between, the same events are folded again.
 */
export function openMongoReadModels({ url, definitions }: ReadModelsOptions): ReadModels {
  checkDefinitions(definitions);
  const hash = hashOf(definitions);
  const connection = new MongoConnection(url);
  const known = new ServedGeneration(hash);
  const owners = new Map<number, string>();
  const use = async <T>(action: (database: Db) => Promise<T>, caller: CallerKind = 'process'): Promise<T> =>
    await connection.use(action, caller);
  const collectionsOf = (number: number | string, entry: Entry) =>
    inGeneration(definitions, prefixOfEntry(hash, number, entry));
  const servedEntry = ({ served, entries }: Generations): Entry | undefined =>
    served === undefined ? undefined : entries?.[served];
  const updateOwned = async (number: number, ...change: UpdateOfOwner): Promise<void> => {
    const owner = owners.get(number);
    if (owner === undefined) throw takenOver(number);
    await use(async (database) => await updateAsOwner(database, { hash, number, owner }, ...change));
  };
  const isWhole = async (database: Db, number: string, entry: Entry): Promise<boolean> => {
    if (entry.position === undefined) return true;
    for (const one of collectionsOf(number, entry)) if (!(await hasIndexes(database, one))) return false;
    return true;
  };
  const readModels: ReadModels = {
    ...readerOf(async () => {
      const current = await connection.use(async (database) => await known.current(database));
      const entry = servedEntry(current);
      if (entry === undefined) throw new NoneServed();
      const documents = documentsIn(connection, collectionsOf(String(current.served), entry));
      return { ...documents, checkpoint: async () => toCheckpoint(entry) };
    }),
    checkpoint: async () =>
      toCheckpoint(servedEntry(await connection.use(async (database) => await known.read(database)))),
    state: async () => toState(await connection.use(async (database) => await known.read(database))),
    inspect: async () =>
      await use(async (database) => {
        for (const [number, entry] of Object.entries((await known.read(database)).entries ?? {}))
          if (!(await isWhole(database, number, entry))) await removeEntry(database, hash, number, entry);
        return toState(await known.read(database));
      }),
    takeOver: async (number) => {
      const entry = await use(async (database) => await takeOverEntry(database, hash, number));
      owners.set(number, entry.owner);
      const collections = collectionsOf(number, entry);
      if (entry.position === undefined)
        for (const one of collections) await use(async (database) => await createIndexes(database, one), 'index build');
      const { writeDocuments, ...documents } = documentsIn(connection, collections);
      let checkpoint = toCheckpoint(entry);
      return {
        ...documents,
        checkpoint: async () => checkpoint,
        write: async (steps, next) => {
          await writeDocuments(steps);
          if (next === undefined) return;
          await updateOwned(number, settingCheckpoint(number, next));
          checkpoint = next;
        },
      };
    },
    serve: async (number, isReady) => {
      const current = await use(async (database) => await known.read(database));
      const { served, isSwitching } = current;
      await updateOwned(number, { $set: { isSwitching: true } });
      if (served !== undefined || isSwitching === true) await pause(ANNOUNCED_FOR_MS);
      if (!(await isReady())) return;
      // Not where another process has since taken over the served generation, and may have served a later position.
      const before =
        served === undefined
          ? { served: { $exists: false } }
          : { served, [`entries.${served}.owner`]: owners.get(served) ?? servedEntry(current)?.owner };
      const update = { $set: { served: number }, $unset: { isSwitching: '' } } as const;
      await updateOwned(number, update, { isSwitching: true, ...before });
      await use(async (database) => await known.read(database));
    },
    refuse: async (number, reason) =>
      await updateOwned(number, { $set: { [`refused.${number}`]: reason }, $unset: { isSwitching: '' } }),
    dropUnused: async () =>
      await use(async (database) => {
        const generations = await known.read(database);
        for (const [number, entry] of Object.entries(generations.entries ?? {}))
          if (isUnused(Number(number), toState(generations))) await removeEntry(database, hash, number, entry);
        await dropUnlisted(database, hash);
      }),
    dropOtherVersions: async () => await use(async (database) => await dropOtherHashes(database, hash)),
    ping: async () => await connection.ping(),
    close: async () => await connection.close(),
  };
  return readModels;
}

type UpdateOfOwner = [update: Parameters<typeof updateAsOwner>[2], condition?: Parameters<typeof updateAsOwner>[3]];
