import type { DatabaseSync, StatementSync } from 'node:sqlite';

import { identifier, type Row, type Select, select } from '../../sqlite/database.ts';
import { type CollectionDefinition, type CountToWrite, StaleDocument, type StoredCount } from '../read-models.ts';

type CollectionVersion = Pick<CollectionDefinition, 'name' | 'version'>;

/** Prepared statements for the counts of one version of a collection. */
export interface CountsTable {
  readonly getMany: Select;
  readonly scan: Select;
  /** Does nothing if the key exists. */
  readonly insert: StatementSync;
  /** Updates the count only at the position of the last parameter. */
  readonly replace: StatementSync;
}

/** Returns the SQL that creates the table of the counts. */
export function createCounts(collection: CollectionVersion): string {
  return `
    CREATE TABLE ${nameOf(collection)} (
      key TEXT PRIMARY KEY NOT NULL,
      number INTEGER NOT NULL,
      position INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;`;
}

export function dropCounts(database: DatabaseSync, collection: CollectionVersion): void {
  database.exec(`DROP TABLE IF EXISTS ${nameOf(collection)}`);
}

/** Prepares the statements of an existing table. */
export function prepareCounts(database: DatabaseSync, collection: CollectionVersion): CountsTable {
  const table = nameOf(collection);
  const counts = `SELECT key, number, position FROM ${table}`;
  return {
    getMany: select(database, `${counts} WHERE key IN (SELECT value FROM json_each(?))`),
    scan: select(database, `${counts} WHERE key > ? ORDER BY key LIMIT ?`),
    insert: database.prepare(`INSERT INTO ${table} (key, number, position) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`),
    replace: database.prepare(`UPDATE ${table} SET number = ?, position = ? WHERE key = ? AND position = ?`),
  };
}

/** Returns the counts of these keys that are stored. */
export function getCounts({ getMany }: CountsTable, keys: readonly string[]): readonly StoredCount[] {
  return getMany.all(JSON.stringify(keys)).map(toCount);
}

/** Returns a page of the counts in order of key. */
export function scanCounts(
  { scan }: CountsTable,
  { after = '', limit }: { readonly after: string | undefined; readonly limit: number },
): readonly StoredCount[] {
  return scan.all(after, limit).map(toCount);
}

/** Writes a count, unless its `replaces` does not match and the stored one is as new. @throws {StaleDocument} */
export function writeCount(table: CountsTable, collection: string, count: CountToWrite): void {
  const { key, number, position, replaces } = count;
  const { changes } =
    replaces === null ? table.insert.run(key, number, position) : table.replace.run(number, position, key, replaces);
  if (changes !== 0) return;
  const [stored] = getCounts(table, [key]);
  if (stored === undefined || stored.position < position) throw new StaleDocument(collection);
}

function toCount([key, number, position]: Row): StoredCount {
  return { key: String(key), number: Number(number), position: BigInt(Number(position)) };
}

function nameOf({ name, version }: CollectionVersion): string {
  return identifier(`${name}_v${version}_counts`);
}
