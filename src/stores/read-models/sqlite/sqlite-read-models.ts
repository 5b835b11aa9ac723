import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Connection } from '../../sqlite/connection.ts';
import {
  type DatabaseOptions,
  inSyncedTransaction,
  inTransaction,
  openDatabase,
  openReader,
  openTemporaryDatabase,
  select,
} from '../../sqlite/database.ts';
import { type Fence, WriterFenced } from '../fence.ts';
import {
  type Builds,
  type CollectionDefinition,
  type CollectionWrite,
  type DocumentStore,
  PUBLISHED_POSITION,
  type ReadModels,
  type StoredDocument,
  storedName,
} from '../read-models.ts';
import {
  dropOtherVersions,
  dropTables,
  ensureCatalog,
  ensureCollections,
  servedBuilds,
  setBuilds,
  storedTables,
} from './catalog.ts';
import {
  fromRow,
  parseParking,
  prepareTable,
  requireListIndexes,
  sqlOfListIndexes,
  writeDocument,
  type CollectionTable,
} from './collection-table.ts';
import { find, scanIndex } from './find.ts';

const CACHE_MIB = 32;
/** Holds the inner pages of all indexes of a book with a million events. */
const SERVED_CACHE_MIB = 96;

type Statements = ReturnType<typeof prepare>;

/**
 * Opens read models in one file, which `open` creates if it is missing. Documents and checkpoint share a transaction. A
 * power cut may undo the newest transactions; the projector then folds those events again.
 */
export function openSqliteReadModels(options: Pick<DatabaseOptions, 'file' | 'onOpened'>): ReadModels {
  const open = (): DatabaseSync => openDatabase({ ...options, synchronous: 'normal', cacheMib: SERVED_CACHE_MIB });
  return readModelsOn(options.file, open, 'write');
}

/**
 * Opens empty read models in a temporary file, which ends with `close` or with the process. After an error they are
 * empty again.
 */
export function openTemporaryReadModels(onOpened: (database: DatabaseSync) => void = () => {}): ReadModels {
  const open = (): DatabaseSync => {
    const database = openTemporaryDatabase(CACHE_MIB);
    onOpened(database);
    return database;
  };
  return readModelsOn('a temporary file', open, 'write');
}

export type ReadModelsReader = Pick<ReadModels, 'open' | 'checkpoint' | 'scan' | 'find' | 'close'>;

/**
 * Opens existing read models for reading only, beside the process or thread that writes them. `open` creates nothing.
 */
export function openSqliteReadModelsReader(file: string): ReadModelsReader {
  return readModelsOn(file, () => openReader(file, CACHE_MIB), 'read');
}

/** To read, all tables must exist. */
type Access = 'read' | 'write';

function readModelsOn(file: string, openFile: () => DatabaseSync, access: Access): ReadModels {
  let definitions: readonly CollectionDefinition[] | undefined;
  const opened = new Map<string, CollectionDefinition>();
  const connection = new Connection(file, openFile, (database) =>
    prepare(database, definitions ?? [], [...opened.values()], access),
  );
  const openBuildTables = (build: string, names: readonly string[]): void => {
    connection.use(({ tables }, database) => {
      const wanted = (definitions ?? []).filter(({ name }) => names.includes(name)).map((one) => inBuild(one, build));
      if (access === 'write') ensureCollections(database, wanted);
      for (const definition of wanted) {
        opened.set(definition.name, definition);
        const table = tables.get(definition.name) ?? prepareTable(database, definition);
        tables.set(definition.name, table);
        // While it is empty, because a filled table would hold up the requests that are served meanwhile.
        requireListIndexes(database, table);
      }
    });
  };
  const served: ReadModels = {
    ...readModelsOf(connection, (statements, collection, database) => {
      // Another connection changes what a reader reads.
      if (access === 'read') readBuilds(statements, database, definitions ?? []);
      return storedName(collection, statements.builds[collection]);
    }),
    open: async (collections) => {
      if (definitions !== undefined) throw new Error('The read models are open already');
      definitions = collections;
      connection.use(() => {});
    },
    fenceCheckpoints: async (fence) => {
      connection.use((statements, database) =>
        inTransaction(database, () => {
          const all = inBuilds(definitions ?? [], statements.builds);
          for (const definition of all) setToken(statements, definition, fence);
        }),
      );
      return [];
    },
    createListIndexes: async () => {
      const served = connection.use(({ builds }) => inBuilds(definitions ?? [], builds));
      for (const sql of served.flatMap(sqlOfListIndexes)) {
        connection.use((_statements, database) => database.exec(sql));
        await nextTurn();
      }
    },
    dropOtherVersions: async () =>
      connection.use((_statements, database) => dropOtherVersions(database, definitions ?? [])),
    openBuild: async (build, names) => {
      openBuildTables(build, names);
      return readModelsOfBuild(connection, served, build, names);
    },
    builds: async () => connection.use(({ builds }) => builds),
    serveBuilds: async (builds, fence) =>
      connection.use((statements, database) => {
        // Synced, because the log records the end of the rebuild next.
        inSyncedTransaction(database, () => {
          const position = definitions?.find(({ name }) => name === PUBLISHED_POSITION);
          if (fence !== undefined && position !== undefined) setToken(statements, position, fence);
          setBuilds(database, definitions ?? [], builds);
        });
        statements.builds = { ...statements.builds, ...builds };
      }),
    dropBuilds: async (openBuilds) => {
      const use = <T>(action: (database: DatabaseSync) => T): T =>
        connection.use((_statements, database) => action(database));
      const stored = use((database) => storedTables(database, definitions ?? []));
      const open = await openBuilds();
      const { builds, tables } = connection.use((statements) => statements);
      const unused = stored.filter(
        ({ logical, build }) => build !== builds[logical] && (build === undefined || !open.includes(build)),
      );
      for (const { name } of unused) {
        opened.delete(name);
        tables.delete(name);
      }
      await dropTables(use, unused);
    },
    close: async () => connection.close(),
  };
  return served;
}

function readBuilds(
  statements: Statements,
  database: DatabaseSync,
  definitions: readonly CollectionDefinition[],
): void {
  statements.builds = servedBuilds(database, definitions);
  for (const definition of inBuilds(definitions, statements.builds)) {
    const { name } = definition;
    if (!statements.tables.has(name)) statements.tables.set(name, prepareTable(database, definition));
  }
}

function readModelsOfBuild(
  connection: Connection<Statements>,
  served: ReadModels,
  build: string,
  names: readonly string[],
): ReadModels {
  return {
    ...served,
    ...readModelsOf(connection, (_statements, collection) => storedName(collection, build)),
    fenceCheckpoints: async (fence) => {
      connection.use((statements, database) =>
        inTransaction(database, () => {
          for (const name of names)
            setToken(statements, tableIn(statements, storedName(name, build)).definition, fence);
        }),
      );
      return [];
    },
    close: async () => {},
  };
}

function readModelsOf(
  connection: Connection<Statements>,
  nameOf: (statements: Statements, collection: string, database: DatabaseSync) => string,
): DocumentStore {
  const on = <T>(
    collection: string,
    action: (table: CollectionTable, database: DatabaseSync, statements: Statements) => T,
  ): T =>
    connection.use((statements, database) =>
      action(tableIn(statements, nameOf(statements, collection, database)), database, statements),
    );
  const onList = <T>(collection: string, action: (table: CollectionTable, database: DatabaseSync) => T): T =>
    on(collection, (table, database) => {
      requireListIndexes(database, table);
      return action(table, database);
    });
  return {
    get: async (collection, key) =>
      on(collection, (table) => {
        const cached = table.cache.get(key);
        if (cached !== undefined) return cached;
        const row = table.getOne.get(key);
        if (row === undefined) return undefined;
        const document = fromRow(table.definition, row);
        table.cache.set(key, document);
        return document;
      }),
    getMany: async (collection, keys) => on(collection, (table) => documents(table, 'getMany', JSON.stringify(keys))),
    find: async (collection, query) => onList(collection, (table, database) => find(database, table, query)),
    scanIndex: async (collection, options) =>
      onList(collection, (table, database) => scanIndex(database, table, options)),
    write: async (steps, fence) =>
      connection.use((statements, database) =>
        inTransaction(database, () => {
          for (const written of steps.flat()) {
            const table = tableIn(statements, nameOf(statements, written.collection, database));
            writeCollection(statements, table, written, fence);
          }
        }),
      ),
    // The process holds the lock of the folder, so no collection can be deleted while it is open.
    missing: async () => await Promise.resolve([]),
    checkpoint: async (collection) =>
      on(collection, ({ definition }, _database, statements) => {
        const position = statements.checkpoint.get(definition.name, definition.version)?.[0];
        return typeof position === 'number' ? BigInt(position) : undefined;
      }),
    parked: async (collection, { limit, offset }) =>
      on(collection, ({ parked }) =>
        parked
          .all(limit, offset)
          .map(([key, parking]) => ({ key: String(key), parked: parseParking(String(parking)) })),
      ),
    countParked: async (collection) => on(collection, ({ countParked }) => Number(countParked.get()?.[0])),
    scan: async (collection, { after, limit }) =>
      on(collection, (table) =>
        after === undefined ? documents(table, 'scanFirst', limit) : documents(table, 'scanAfter', after, limit),
      ),
    ping: async () => connection.use((statements) => void statements.checkpoint.get('', 0)),
  };
}

function writeCollection(
  statements: Statements,
  table: CollectionTable,
  { documents, checkpoint }: CollectionWrite,
  fence: Fence | undefined,
): void {
  const { definition } = table;
  if (fence !== undefined) setToken(statements, definition, fence);
  for (const document of documents) writeDocument(table, document);
  statements.setCheckpoint.run(checkpoint, definition.name, definition.version);
}

function inBuild(definition: CollectionDefinition, build: string | undefined): CollectionDefinition {
  return { ...definition, name: storedName(definition.name, build) };
}

function inBuilds(definitions: readonly CollectionDefinition[], builds: Builds): readonly CollectionDefinition[] {
  return definitions.map((definition) => inBuild(definition, builds[definition.name]));
}

function prepare(
  database: DatabaseSync,
  definitions: readonly CollectionDefinition[],
  openBuilds: readonly CollectionDefinition[],
  access: Access,
) {
  if (access === 'write') ensureCatalog(database);
  const builds = servedBuilds(database, definitions);
  const served = inBuilds(definitions, builds);
  const names = new Set(served.map(({ name }) => name));
  const all = [...served, ...openBuilds.filter(({ name }) => !names.has(name))];
  if (access === 'write') ensureCollections(database, all);
  const one = 'WHERE name = ? AND version = ?';
  return {
    /** By the names under which they are stored. */
    tables: new Map(all.map((definition) => [definition.name, prepareTable(database, definition)])),
    builds,
    checkpoint: select(database, `SELECT checkpoint FROM catalog ${one}`),
    setCheckpoint: database.prepare(`UPDATE catalog SET checkpoint = max(ifnull(checkpoint, 0), ?) ${one}`),
    setToken: database.prepare(
      `INSERT INTO fences (name, version, token) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET token = excluded.token WHERE token <= excluded.token`,
    ),
    tokenOf: select(database, `SELECT token FROM fences ${one}`),
  };
}

function setToken({ setToken, tokenOf }: Statements, { name, version }: CollectionDefinition, { token }: Fence): void {
  if (setToken.run(name, version, token).changes === 0)
    throw new WriterFenced(name, Number(tokenOf.get(name, version)?.[0]));
}

function tableIn(statements: Statements, collection: string): CollectionTable {
  const table = statements.tables.get(collection);
  if (table === undefined) throw new Error(`The collection ${collection} was not opened`);
  return table;
}

function documents(
  table: CollectionTable,
  statement: 'getMany' | 'scanFirst' | 'scanAfter',
  ...parameters: readonly (string | number)[]
): readonly StoredDocument[] {
  return table[statement].all(...parameters).map((row) => fromRow(table.definition, row));
}
