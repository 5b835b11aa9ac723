import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inTransaction, select } from '../../sqlite/database.ts';
import { checkDefinitions, declaredIndexes } from '../collection-definitions.ts';
import { buildOf, type Builds, type CollectionDefinition } from '../read-models.ts';
import { createTable, tableOf } from './collection-table.ts';
import { dropCounts } from './counts.ts';

const schema = `
  CREATE TABLE IF NOT EXISTS catalog (
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    indexes TEXT NOT NULL,
    checkpoint INTEGER,
    PRIMARY KEY (name, version)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS fences (
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    token INTEGER NOT NULL,
    PRIMARY KEY (name, version)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS builds (
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    build TEXT NOT NULL,
    PRIMARY KEY (name, version)
  ) STRICT, WITHOUT ROWID;
`;

/** Number of rows that are deleted at once, so that requests are served in between. */
const ROWS_PER_TURN = 100;

type CollectionVersion = Pick<CollectionDefinition, 'name' | 'version'>;

export function ensureCollections(database: DatabaseSync, definitions: readonly CollectionDefinition[]): void {
  checkDefinitions(definitions);
  inTransaction(database, () => {
    const existing = select(database, 'SELECT indexes FROM catalog WHERE name = ? AND version = ?');
    const add = database.prepare('INSERT INTO catalog (name, version, indexes) VALUES (?, ?, ?)');
    for (const definition of definitions) {
      const { name, version } = definition;
      const indexes = declaredIndexes(definition);
      const row = existing.get(name, version);
      if (row === undefined) {
        add.run(name, version, indexes);
        database.exec(createTable(definition));
      } else if (row[0] !== indexes) {
        throw new Error(
          `${name} version ${version} was created with the indexes (${String(row[0])}) but declares (${indexes}): raise its version`,
        );
      }
    }
  });
}

export function ensureCatalog(database: DatabaseSync): void {
  database.exec(schema);
}

export function servedBuilds(database: DatabaseSync, definitions: readonly CollectionVersion[]): Builds {
  const served = select(database, 'SELECT build FROM builds WHERE name = ? AND version = ?');
  return Object.fromEntries(
    definitions.flatMap(({ name, version }) => {
      const build = served.get(name, version)?.[0];
      return typeof build === 'string' ? [[name, build]] : [];
    }),
  );
}

export function setBuilds(database: DatabaseSync, definitions: readonly CollectionVersion[], builds: Builds): void {
  const set = database.prepare('INSERT INTO builds VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET build = excluded.build');
  for (const { name, version } of definitions) {
    const build = builds[name];
    if (build !== undefined) set.run(name, version, build);
  }
}

export function dropOtherVersions(database: DatabaseSync, definitions: readonly CollectionVersion[]): void {
  inTransaction(database, () => {
    for (const { name, version } of definitions) {
      for (const stored of storedVersions(database, name)) if (stored.version !== version) dropTable(database, stored);
      database.prepare('DELETE FROM builds WHERE name = ? AND version <> ?').run(name, version);
    }
  });
}

interface StoredTable extends CollectionVersion {
  readonly logical: string;
  /** Undefined for the first documents. */
  readonly build: string | undefined;
}

export function storedTables(
  database: DatabaseSync,
  definitions: readonly CollectionVersion[],
): readonly StoredTable[] {
  return definitions.flatMap(({ name: logical, version }) =>
    storedVersions(database, logical)
      .filter((stored) => stored.version === version)
      .map((stored) => ({ ...stored, logical, build: buildOf(logical, stored.name) ?? undefined })),
  );
}

export async function dropTables(
  use: <T>(action: (database: DatabaseSync) => T) => T,
  tables: readonly CollectionVersion[],
): Promise<void> {
  for (const stored of tables) {
    // A table that is opened again before it is dropped is complete but empty, and is filled from the start of the log.
    use((database) => clearCheckpoint(database, stored));
    while (!use((database) => deleteSome(database, stored))) await nextTurn();
    use((database) => inTransaction(database, () => dropTable(database, stored)));
  }
}

function storedVersions(database: DatabaseSync, collection: string): readonly CollectionVersion[] {
  const rows = select(database, 'SELECT name, version FROM catalog').all();
  const stored = rows.map(([name, version]) => ({ name: String(name), version: Number(version) }));
  return stored.filter(({ name }) => buildOf(collection, name) !== null);
}

function clearCheckpoint(database: DatabaseSync, { name, version }: CollectionVersion): void {
  database.prepare('UPDATE catalog SET checkpoint = NULL WHERE name = ? AND version = ?').run(name, version);
}

function deleteSome(database: DatabaseSync, stored: CollectionVersion): boolean {
  const table = tableOf(stored);
  const rows = `SELECT rowid FROM ${table} LIMIT ${ROWS_PER_TURN}`;
  return Number(database.prepare(`DELETE FROM ${table} WHERE rowid IN (${rows})`).run().changes) < ROWS_PER_TURN;
}

function dropTable(database: DatabaseSync, stored: CollectionVersion): void {
  const one = [stored.name, stored.version] as const;
  database.exec(`DROP TABLE ${tableOf(stored)}`);
  dropCounts(database, stored);
  database.prepare('DELETE FROM catalog WHERE name = ? AND version = ?').run(...one);
  database.prepare('DELETE FROM fences WHERE name = ? AND version = ?').run(...one);
}
