import type { DatabaseSync } from 'node:sqlite';
import { PROJECTIONS } from '#projections/registry.ts';
import { definitionsOf } from '#read-side/start-projector.ts';
import type { Position } from '#stores/event-log/event-log.ts';
import {
  type Checkpoint,
  type CollectionDefinition,
  type Generation,
  readerOf,
  type StoredDocument,
} from '#stores/read-models/read-models.ts';
import { tableOf } from '#stores/read-models/sqlite/collection-table.ts';
import { openTemporaryReadModels } from '#stores/read-models/sqlite/sqlite-read-models.ts';

/** Called for each collection before or after a write: may inspect it, or throw as a failing store does. */
export type OnWrite = (collection: string, documents: readonly StoredDocument[]) => void;

const NOTHING: Omit<StoredDocument, 'key'> = {
  body: undefined,
  stream: '',
  revision: -1,
  position: 0n,
  order: 0n,
  indexes: {},
  parked: undefined,
};

export type TestReadModels = ReturnType<typeof openTestReadModels>;

/** Opens read models in temporary files, with hooks for faults. Each projector that starts may use them again. */
export function openTestReadModels(definitions: readonly CollectionDefinition[] = definitionsOf(PROJECTIONS)) {
  const databases = new Map<number, DatabaseSync>();
  const generations = new Map<number, Generation>();
  const real = openTemporaryReadModels(definitions, (database, number) => {
    databases.set(number, database);
  });
  const isServed = (database: DatabaseSync): boolean =>
    database.prepare('SELECT 1 FROM generation WHERE is_served = 1').get() !== undefined;
  /** Returns the number of the served generation. */
  const served = (): number => {
    const [number] = [...generations.keys()]
      .toSorted((a, b) => b - a)
      .filter((one) => {
        const database = databases.get(one);
        return database?.isOpen === true && isServed(database);
      });
    if (number === undefined) throw new Error('no generation is served');
    return number;
  };
  const run = (sql: string, ...values: readonly (string | bigint | null)[]) =>
    databases
      .get(served())
      ?.prepare(sql)
      .all(...values) ?? [];
  const stateOf = (collection: string, key: string) => {
    const [row] = run(`SELECT position, parked FROM ${tableOf({ name: collection })} WHERE key = ?`, key);
    return row === undefined ? null : { position: BigInt(Number(row['position'])), isParked: row['parked'] !== null };
  };
  const readModels = {
    ...real,
    beforeWrite: ((): void => {}) as OnWrite,
    /** Called after the documents are written, before the write returns. */
    afterWrite: ((): void => {}) as OnWrite,
    beforeCheckpoint: ((): void => {}) as (checkpoint: Checkpoint) => void,
    /** Stores one collection after the other, and then the checkpoint, as a server does. */
    takeOver: async (number: number): Promise<Generation> => {
      const generation = await real.takeOver(number);
      generations.set(number, generation);
      const write: Generation['write'] = async (steps, checkpoint) => {
        for (const written of steps.flat()) {
          readModels.beforeWrite(written.collection, written.documents);
          await generation.write([[written]]);
          readModels.afterWrite(written.collection, written.documents);
        }
        if (checkpoint === undefined) return;
        readModels.beforeCheckpoint(checkpoint);
        await generation.write([], checkpoint);
      };
      return { ...readerOf(async () => await Promise.resolve(generation)), write };
    },
    /** Returns the numbers of the generations that exist. */
    numbers: (): readonly number[] => [...databases.keys()].filter((number) => databases.get(number)?.isOpen),
    /** Serves an empty generation, as a projector does on an empty log. */
    serveEmpty: async (): Promise<void> => {
      await readModels.takeOver(0);
      await readModels.serve(0, async () => true);
    },
    /** Overwrites the position of the checkpoint, as after a crash between documents and checkpoint. */
    setCheckpoint: (position: Position | undefined): void => {
      run('UPDATE generation SET position = ?', position ?? null);
    },
    /** Deletes all documents, the checkpoint and what is served, as an inspection does with a damaged generation. */
    lose: async (): Promise<void> => {
      for (const { name } of definitions)
        for (const { key } of await real.scan(name, { after: undefined, limit: 1_000 })) readModels.remove(name, key);
      run('UPDATE generation SET position = NULL, is_served = 0');
      await real.inspect();
    },
    /** Writes a document that the projector did not create. */
    put: (collection: string, document: StoredDocument): void => {
      const written = { ...document, replaces: stateOf(collection, document.key) };
      void generations.get(served())?.write([[{ collection, documents: [written] }]]);
    },
    remove: (collection: string, key: string): void => {
      // Takes it out of the cache, too.
      readModels.put(collection, { ...NOTHING, key });
      run(`DELETE FROM ${tableOf({ name: collection })} WHERE key = ?`, key);
    },
  };
  return readModels;
}
