import type { DatabaseSync } from 'node:sqlite';
import { PROJECTIONS } from '#projections/registry.ts';
import { collectionsOf } from '#read-side/start-projector.ts';
import type { Position } from '#stores/event-log/event-log.ts';
import {
  type CollectionDefinition,
  type ReadModels,
  type StoredDocument,
  storedName,
} from '#stores/read-models/read-models.ts';
import { servedBuilds } from '#stores/read-models/sqlite/catalog.ts';
import { tableOf } from '#stores/read-models/sqlite/collection-table.ts';
import { openTemporaryReadModels } from '#stores/read-models/sqlite/sqlite-read-models.ts';

/** Called for each collection before or after a write: may inspect it, or throw as a failing store does. */
export type OnWrite = (collection: string, documents: readonly StoredDocument[], checkpoint: Position) => void;

const NOTHING: Omit<StoredDocument, 'key'> = {
  body: undefined,
  stream: '',
  revision: -1,
  position: 0n,
  createdAt: '',
  indexes: {},
  parked: undefined,
};

export type TestReadModels = ReturnType<typeof openTestReadModels>;

/**
 * Opens read models in a temporary file, with hooks for faults. Each projector that starts may open them again, as
 * after a restart.
 */
export function openTestReadModels() {
  let database: DatabaseSync | undefined;
  let definitions: ReadonlyMap<string, CollectionDefinition> | undefined;
  const real = openTemporaryReadModels((opened) => {
    database = opened;
  });
  /** Runs SQL on the served table of a collection, and on its row in the catalogue. */
  const run = (
    collection: string,
    sql: (table: string, one: string) => string,
    ...values: readonly (string | bigint | null)[]
  ) => {
    const definition = definitions?.get(collection);
    if (database === undefined || definition === undefined) throw new Error(`${collection} was not opened`);
    const name = storedName(collection, servedBuilds(database, [definition])[collection]);
    const one = `name = '${name}' AND version = ${definition.version}`;
    return database.prepare(sql(tableOf({ name, version: definition.version }), one)).all(...values);
  };
  const stateOf = (collection: string, key: string) => {
    const [row] = run(collection, (table) => `SELECT position, parked FROM ${table} WHERE key = ?`, key);
    return row === undefined ? null : { position: BigInt(Number(row['position'])), isParked: row['parked'] !== null };
  };
  const readModels = {
    ...real,
    beforeWrite: ((): void => {}) as OnWrite,
    /** Called after documents and checkpoint are written, before the write returns. */
    afterWrite: ((): void => {}) as OnWrite,
    open: async (given: readonly CollectionDefinition[]): Promise<void> => {
      if (definitions !== undefined) return;
      definitions = new Map([...collectionsOf(PROJECTIONS), ...given].map((one) => [one.name, one]));
      await real.open([...definitions.values()]);
    },
    /** Stores one collection after the other, as a server may. */
    write: async (...[steps, fence]: Parameters<ReadModels['write']>): Promise<void> => {
      for (const written of steps.flat()) {
        const { collection, documents, checkpoint } = written;
        readModels.beforeWrite(collection, documents, checkpoint);
        await real.write([[written]], fence);
        readModels.afterWrite(collection, documents, checkpoint);
      }
    },
    /** Overwrites a checkpoint, as after a crash between documents and checkpoint. */
    setCheckpoint: (collection: string, checkpoint: Position | undefined): void => {
      run(collection, (_table, one) => `UPDATE catalog SET checkpoint = ? WHERE ${one}`, checkpoint ?? null);
    },
    /** Writes a document that the projector did not create. */
    put: (collection: string, document: StoredDocument): void => {
      const [row] = run(collection, (_table, one) => `SELECT checkpoint FROM catalog WHERE ${one}`);
      const checkpoint = row?.['checkpoint'];
      const written = { ...document, replaces: stateOf(collection, document.key) };
      void real.write([[{ collection, documents: [written], checkpoint: 0n }]]);
      readModels.setCheckpoint(collection, typeof checkpoint === 'number' ? BigInt(checkpoint) : undefined);
    },
    remove: (collection: string, key: string): void => {
      // Takes it out of the cache, too.
      readModels.put(collection, { ...NOTHING, key });
      run(collection, (table) => `DELETE FROM ${table} WHERE key = ?`, key);
    },
  };
  return readModels;
}
