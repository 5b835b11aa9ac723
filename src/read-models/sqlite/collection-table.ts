import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { identifier, select } from '../../sqlite/database.ts';
import type { Row, Select } from '../../sqlite/database.ts';
import type { CollectionDefinition, DocumentToWrite, IndexValue, Parking, StoredDocument } from '../read-models.ts';
import { StaleDocument } from '../read-models.ts';
import { type CountsTable, createCounts, prepareCounts } from './counts.ts';
import { decodeIndex, encodeIndex } from './index-value.ts';

/** Size of the document cache of a collection, in characters. */
const CACHE_CHARACTERS = 4 * 1024 * 1024;

/** Table of one version of a collection, with its prepared statements. */
export interface CollectionTable {
  readonly definition: CollectionDefinition;
  readonly getOne: Select;
  readonly getMany: Select;
  readonly parked: Select;
  readonly countParked: Select;
  readonly scanFirst: Select;
  readonly scanAfter: Select;
  readonly upsert: StatementSync;
  /** Does nothing if the key exists. */
  readonly insert: StatementSync;
  /** Updates the document only at the position and parked state of the last two parameters. */
  readonly replace: StatementSync;
  readonly positionOf: Select;
  /** Documents that were read last. Valid because only this connection writes. */
  readonly cache: LRUCache<string, StoredDocument>;
  /** Undefined when the collection declares no counts. */
  readonly counts: CountsTable | undefined;
  /** Statements of `find` by their SQL, which contains no values. */
  readonly findStatements: Map<string, Select>;
}

/** Returns the quoted name of the table. */
export function tableOf({ name, version }: Pick<CollectionDefinition, 'name' | 'version'>): string {
  return identifier(`${name}_v${version}`);
}

/** Returns the quoted column of an index, with a prefix that keeps it apart from other columns. */
export function indexColumn(name: string): string {
  return identifier(`ix_${name}`);
}

/** Returns the quoted name of the SQL index for lists by this index, or for lists of all documents. */
export function listIndex({ name, version }: CollectionDefinition, index?: string): string {
  return identifier(index === undefined ? `${name}_v${version}_by_age` : `${name}_v${version}_by_${index}`);
}

/** Returns the columns in the order of `toRow` and `fromRow`. */
export function documentColumns({ indexes }: CollectionDefinition): readonly string[] {
  return ['key', 'position', 'created_at', ...indexes.map(indexColumn), 'streams', 'parked', 'body'];
}

/**
 * Returns the SQL that creates a table. `body` is the last column, so that a filter by other columns does not read long documents.
 */
export function createTable(definition: CollectionDefinition): string {
  return `
    CREATE TABLE ${tableOf(definition)} (
      key TEXT PRIMARY KEY NOT NULL,
      position INTEGER NOT NULL,
      created_at TEXT NOT NULL,
      ${definition.indexes.map((index) => `${indexColumn(index)} ANY,`).join('\n')}
      streams TEXT NOT NULL,
      parked TEXT,
      body TEXT,
      listed INTEGER GENERATED ALWAYS AS (body IS NOT NULL) VIRTUAL
    ) STRICT;
    ${definition.countedBy === undefined ? '' : createCounts(definition)}`;
}

/**
 * Returns the SQL that creates a table and its indexes. The indexes of lists contain only documents with a body, so that a count or an
 * offset by one index reads only that index: SQLite reads the row for `body IS NOT NULL`, but not for a column that the index fixes.
 */
export function createTableForLists(definition: CollectionDefinition): string {
  const { name, version, indexes } = definition;
  const table = tableOf(definition);
  const listed = 'created_at, key) WHERE listed = 1;';
  const listIndexes = indexes.map(
    (index) => `CREATE INDEX ${listIndex(definition, index)} ON ${table} (${indexColumn(index)}, ${listed}`,
  );
  return `${createTable(definition)}
    CREATE INDEX ${identifier(`${name}_v${version}_parked`)} ON ${table} (position, key) WHERE parked IS NOT NULL;
    CREATE INDEX ${listIndex(definition)} ON ${table} (${listed}
    ${listIndexes.join('\n')}`;
}

/** Prepares the statements of an existing table. */
export function prepareTable(database: DatabaseSync, definition: CollectionDefinition): CollectionTable {
  const columns = documentColumns(definition);
  const table = tableOf(definition);
  const documents = `SELECT ${columns.join(', ')} FROM ${table}`;
  const placeholders = columns.map(() => '?').join(', ');
  const insert = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${placeholders}) ON CONFLICT (key)`;
  const fromInsert = columns.slice(1).map((column) => `${column} = excluded.${column}`);
  const fromParameters = columns.slice(1).map((column) => `${column} = ?`);
  return {
    definition,
    getOne: select(database, `${documents} WHERE key = ?`),
    getMany: select(database, `${documents} WHERE key IN (SELECT value FROM json_each(?))`),
    parked: select(
      database,
      `SELECT key, parked FROM ${table} WHERE parked IS NOT NULL ORDER BY position, key LIMIT ? OFFSET ?`,
    ),
    countParked: select(database, `SELECT count(*) FROM ${table} WHERE parked IS NOT NULL`),
    scanFirst: select(database, `${documents} ORDER BY key LIMIT ?`),
    scanAfter: select(database, `${documents} WHERE key > ? ORDER BY key LIMIT ?`),
    upsert: database.prepare(`${insert} DO UPDATE SET ${fromInsert.join(', ')}`),
    insert: database.prepare(`${insert} DO NOTHING`),
    replace: database.prepare(
      `UPDATE ${table} SET ${fromParameters.join(', ')} WHERE key = ? AND position = ? AND (parked IS NOT NULL) = ?`,
    ),
    positionOf: select(database, `SELECT position FROM ${table} WHERE key = ?`),
    cache: new LRUCache({ maxSize: CACHE_CHARACTERS, sizeCalculation: ({ body = '' }) => body.length + 1 }),
    counts: definition.countedBy === undefined ? undefined : prepareCounts(database, definition),
    findStatements: new Map(),
  };
}

/** Writes a document, unless its `replaces` does not match and the stored state is as new. @throws {StaleDocument} */
export function writeDocument(table: CollectionTable, document: DocumentToWrite): void {
  const { definition, upsert, insert, replace, positionOf, cache } = table;
  const { key, position, replaces } = document;
  const row = toRow(definition, document);
  cache.delete(key);
  if (replaces === undefined) return void upsert.run(...row);
  const { changes } =
    replaces === null
      ? insert.run(...row)
      : replace.run(...row.slice(1), key, replaces.position, Number(replaces.isParked));
  if (changes !== 0) return;
  const stored = positionOf.get(key)?.[0];
  if (typeof stored !== 'number' || BigInt(stored) < position) throw new StaleDocument(definition.name);
}

/** @throws when the document has no key, or a value for an index that is not declared */
function toRow(definition: CollectionDefinition, document: StoredDocument): SQLInputValue[] {
  if (document.key === '') throw new Error(`A document of ${definition.name} has no key`);
  const row: SQLInputValue[] = [document.key, document.position, document.createdAt];
  for (const index of definition.indexes) row.push(encodeIndex(document.indexes[index] ?? null));
  for (const index in document.indexes) requireIndex(definition, index);
  row.push(
    JSON.stringify(document.streams),
    document.parked === undefined ? null : serialiseParking(document.parked),
    document.body ?? null,
  );
  return row;
}

export function fromRow({ indexes }: CollectionDefinition, row: Row): StoredDocument {
  const values: Record<string, IndexValue> = {};
  let column = 3;
  for (const index of indexes) values[index] = decodeIndex(row[column++]);
  const parked = row[column + 1] as string | null;
  return {
    key: row[0] as string,
    body: (row[column + 2] as string | null) ?? undefined,
    streams: JSON.parse(row[column] as string) as StoredDocument['streams'],
    position: BigInt(row[1] as number),
    createdAt: row[2] as string,
    indexes: values,
    parked: parked === null ? undefined : parseParking(parked),
  };
}

/** Returns the index. @throws when the collection does not declare it */
export function requireIndex(definition: CollectionDefinition, index: string): string {
  if (definition.indexes.includes(index)) return index;
  throw new Error(`The collection ${definition.name} declares no index ${index}`);
}

function serialiseParking(parked: Parking): string {
  return JSON.stringify({ ...parked, position: parked.position.toString() });
}

export function parseParking(text: string): Parking {
  const parked = JSON.parse(text) as Omit<Parking, 'position'> & { readonly position: string };
  return { ...parked, position: BigInt(parked.position) };
}
