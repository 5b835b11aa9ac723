import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { identifier, select } from '../../sqlite/database.ts';
import type { Row, Select } from '../../sqlite/database.ts';
import type { CollectionDefinition, DocumentToWrite, IndexValue, Parking, StoredDocument } from '../read-models.ts';
import { StaleDocument } from '../read-models.ts';
import { decodeIndex, encodeIndex } from './index-value.ts';

/** The documents that a collection keeps in memory for the next reader, in characters of their text. */
const RECENT_CHARACTERS = 4 * 1024 * 1024;

/** One version of a collection: its table and the statements on it. */
export interface CollectionTable {
  readonly definition: CollectionDefinition;
  readonly getOne: Select;
  readonly getMany: Select;
  readonly parked: Select;
  readonly scanFirst: Select;
  readonly scanAfter: Select;
  /** Whatever is there · only if nothing is there · only if what is there is what the last two parameters say. */
  readonly upsert: StatementSync;
  readonly insert: StatementSync;
  readonly replace: StatementSync;
  readonly positionOf: Select;
  /** Documents as they were last got; nobody but this connection writes them. */
  readonly recent: LRUCache<string, StoredDocument>;
  /** Statements of `find` by their text; their number grows with the kinds of questions, not with the values. */
  readonly finds: Map<string, Select>;
}

/** The table of one version of a collection, as an identifier. */
export function tableOf({ name, version }: Pick<CollectionDefinition, 'name' | 'version'>): string {
  return identifier(`${name}_v${version}`);
}

/** The column of an index: prefixed, so that an index may have the name of any other column. */
export function indexColumn(name: string): string {
  return identifier(`ix_${name}`);
}

/** The order of the lists that are found by this index, or of those of all documents. */
export function listOrder({ name, version }: CollectionDefinition, index?: string): string {
  return identifier(index === undefined ? `${name}_v${version}_by_age` : `${name}_v${version}_by_${index}`);
}

/** The columns of a row as `toRow` makes it and `fromRow` expects it. */
export function documentColumns({ indexes }: CollectionDefinition): readonly string[] {
  return ['key', 'position', 'created_at', ...indexes.map(indexColumn), 'streams', 'parked', 'body'];
}

/**
 * Only documents with a body are listed, and only they are in the indexes of lists: a count by one index reads nothing
 * but that index. `body` is the last column, so that filtering by the others need not read past a long document.
 */
export function createTable(definition: CollectionDefinition): string {
  const { name, version, indexes } = definition;
  const table = tableOf(definition);
  const listed = 'created_at, key) WHERE body IS NOT NULL;';
  const orders = indexes.map(
    (index) => `CREATE INDEX ${listOrder(definition, index)} ON ${table} (${indexColumn(index)}, ${listed}`,
  );
  return `
    CREATE TABLE ${table} (
      key TEXT PRIMARY KEY NOT NULL,
      position INTEGER NOT NULL,
      created_at TEXT NOT NULL,
      ${indexes.map((index) => `${indexColumn(index)} ANY,`).join('\n')}
      streams TEXT NOT NULL,
      parked TEXT,
      body TEXT
    ) STRICT;
    CREATE INDEX ${identifier(`${name}_v${version}_parked`)} ON ${table} (position, key) WHERE parked IS NOT NULL;
    CREATE INDEX ${listOrder(definition)} ON ${table} (${listed}
    ${orders.join('\n')}`;
}

/** Prepares the statements on a table that exists. */
export function prepareTable(database: DatabaseSync, definition: CollectionDefinition): CollectionTable {
  const columns = documentColumns(definition);
  const table = tableOf(definition);
  const documents = `SELECT ${columns.join(', ')} FROM ${table}`;
  const places = columns.map(() => '?').join(', ');
  const insert = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places}) ON CONFLICT (key)`;
  const changes = columns.slice(1).map((column) => `${column} = excluded.${column}`);
  const given = columns.slice(1).map((column) => `${column} = ?`);
  return {
    definition,
    getOne: select(database, `${documents} WHERE key = ?`),
    getMany: select(database, `${documents} WHERE key IN (SELECT value FROM json_each(?))`),
    parked: select(database, `${documents} WHERE parked IS NOT NULL ORDER BY position, key`),
    scanFirst: select(database, `${documents} ORDER BY key LIMIT ?`),
    scanAfter: select(database, `${documents} WHERE key > ? ORDER BY key LIMIT ?`),
    upsert: database.prepare(`${insert} DO UPDATE SET ${changes.join(', ')}`),
    insert: database.prepare(`${insert} DO NOTHING`),
    replace: database.prepare(
      `UPDATE ${table} SET ${given.join(', ')} WHERE key = ? AND position = ? AND (parked IS NOT NULL) = ?`,
    ),
    positionOf: select(database, `SELECT position FROM ${table} WHERE key = ?`),
    recent: new LRUCache({ maxSize: RECENT_CHARACTERS, sizeCalculation: ({ body = '' }) => body.length + 1 }),
    finds: new Map(),
  };
}

/** Writes a document unless something as new stands in its place. @throws {StaleDocument} */
export function writeDocument(table: CollectionTable, document: DocumentToWrite): void {
  const { definition, upsert, insert, replace, positionOf, recent } = table;
  const { key, position, replaces } = document;
  const row = toRow(definition, document);
  recent.delete(key);
  if (replaces === undefined) return void upsert.run(...row);
  const { changes } =
    replaces === null
      ? insert.run(...row)
      : replace.run(...row.slice(1), key, replaces.position, Number(replaces.isParked));
  if (changes !== 0) return;
  const stored = positionOf.get(key)?.[0];
  if (typeof stored !== 'number' || BigInt(stored) < position) throw new StaleDocument(definition.name);
}

/** @throws when the document has no key, or an index that its collection does not declare: it could never be found by it. */
function toRow(definition: CollectionDefinition, document: StoredDocument): SQLInputValue[] {
  if (document.key === '') throw new Error(`A document of ${definition.name} has no key`);
  const row: SQLInputValue[] = [document.key, document.position, document.createdAt];
  for (const index of definition.indexes) row.push(encodeIndex(document.indexes[index] ?? null));
  for (const index in document.indexes) declared(definition, index);
  row.push(
    JSON.stringify(document.streams),
    document.parked === undefined ? null : parkedText(document.parked),
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
    parked: parked === null ? undefined : parkedValue(parked),
  };
}

/** @throws when the collection does not declare the index. */
export function declared(definition: CollectionDefinition, index: string): string {
  if (definition.indexes.includes(index)) return index;
  throw new Error(`The collection ${definition.name} declares no index ${index}`);
}

function parkedText(parked: Parking): string {
  return JSON.stringify({ ...parked, position: parked.position.toString() });
}

function parkedValue(text: string): Parking {
  const parked = JSON.parse(text) as Omit<Parking, 'position'> & { readonly position: string };
  return { ...parked, position: BigInt(parked.position) };
}
