import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { requireIndex } from '../collection-definitions.ts';
import {
  type CollectionDefinition,
  type DocumentState,
  type DocumentToWrite,
  type DocumentView,
  type IndexValue,
  logOrder,
  type Parking,
  type ReplacedState,
  StaleDocument,
  type StoredDocument,
} from '../read-models.ts';
import { identifier, type Row, select, type Select } from '../../sqlite/database.ts';
import { createCounts, prepareCount } from './counts.ts';

/** Size of each document cache of a collection, in characters. */
const CACHE_CHARACTERS = 16 * 1024 * 1024;

/** `PLACES_PER_EVENT` in bits. */
const PLACE_BITS = 16;

const PLAIN_COLUMNS = ['position', 'stream', 'revision', 'parked', 'view', 'view_until', 'body'] as const;

export type CollectionTable = ReturnType<typeof prepareTable>;

export function tableOf({ name }: Pick<CollectionDefinition, 'name'>): string {
  return identifier(name);
}

/** Returns the quoted column of an index, with a prefix that keeps it apart from other columns. */
export function indexColumn(name: string): string {
  return identifier(`ix_${name}`);
}

/** Returns the quoted name of the SQL index for lists by this index. */
export function listIndex({ name }: Pick<CollectionDefinition, 'name'>, index: string): string {
  return identifier(`${name}_by_${index}`);
}

/** A row number of 64 bits does not fit in a number of JavaScript. */
const ORDER = [`row_number >> ${PLACE_BITS}`, `row_number & ${2 ** PLACE_BITS - 1}`];

/** Columns of `headerOf`. */
function headerColumns({ indexes }: CollectionDefinition): readonly string[] {
  return ['key', 'position', ...ORDER, 'stream', 'revision', 'parked', ...indexes.map(indexColumn)];
}

/** Columns of `fromRow`. */
export function documentColumns(definition: CollectionDefinition): readonly string[] {
  return [...headerColumns(definition), 'view', 'view_until', 'body'];
}

/** Columns that are in indexes, and `listed`. An update sets them only if they change. */
function indexedColumns({ indexes }: CollectionDefinition): readonly string[] {
  return ['listed', ...indexes.map(indexColumn)];
}

/**
 * Returns the SQL that creates a table without the indexes of lists. Its rows are in the order of lists. `body` is the
 * last column, so that neither a filter by other columns nor a view reads long documents.
 */
export function createTable(definition: CollectionDefinition): string {
  const { name, indexes, countedBy } = definition;
  const table = tableOf(definition);
  return `
    CREATE TABLE ${table} (
      row_number INTEGER PRIMARY KEY,
      key TEXT NOT NULL UNIQUE,
      position INTEGER NOT NULL,
      ${indexes.map((index) => `${indexColumn(index)} ANY,`).join('\n')}
      stream TEXT NOT NULL,
      revision INTEGER NOT NULL,
      parked TEXT,
      listed INTEGER NOT NULL,
      view TEXT,
      view_until TEXT,
      body TEXT
    ) STRICT;
    CREATE INDEX ${identifier(`${name}_parked`)} ON ${table} (position, key) WHERE parked IS NOT NULL;
    ${countedBy === undefined ? '' : createCounts(definition, table, countedBy, indexColumn)}`;
}

/**
 * Returns the SQL that creates each index of lists, unless it exists. An index has the values alone, because the
 * documents of a value follow in the order of their rows, and no entry of a document without a value.
 */
export function sqlOfListIndexes(definition: CollectionDefinition): readonly string[] {
  return definition.indexes.map((index) => {
    const column = indexColumn(index);
    return `CREATE INDEX IF NOT EXISTS ${listIndex(definition, index)} ON ${tableOf(definition)} (${column}) WHERE ${column} IS NOT NULL`;
  });
}

export function prepareTable(database: DatabaseSync, definition: CollectionDefinition) {
  const table = tableOf(definition);
  const documents = `SELECT ${documentColumns(definition).join(', ')} FROM ${table}`;
  const header = headerColumns(definition).join(', ');
  const states = `SELECT ${header}, body FROM ${table}`;
  const indexed = indexedColumns(definition);
  const columns = ['row_number', ...PLAIN_COLUMNS, ...indexed, 'key'];
  return {
    definition,
    getState: select(database, `${states} WHERE key = ?`),
    getView: select(database, `SELECT ${header}, view, view_until FROM ${table} WHERE key = ?`),
    getStates: select(database, `${states} WHERE key IN (SELECT value FROM json_each(?))`),
    parked: select(
      database,
      `SELECT key, parked FROM ${table} WHERE parked IS NOT NULL ORDER BY position, key LIMIT ? OFFSET ?`,
    ),
    countParked: select(database, `SELECT count(*) FROM ${table} WHERE parked IS NOT NULL`),
    scanFirst: select(database, `${documents} ORDER BY key LIMIT ?`),
    scanAfter: select(database, `${documents} WHERE key > ? ORDER BY key LIMIT ?`),
    insert: database.prepare(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    ),
    stateOf: select(database, `SELECT position, parked IS NOT NULL, ${indexed.join(', ')} FROM ${table} WHERE key = ?`),
    /**
     * Updates of a document by the columns in indexes that change, which are few: SQLite writes every index of a column
     * that is set.
     */
    updates: new Map<string, StatementSync>(),
    prepareUpdate: (changed: readonly string[]) =>
      database.prepare(`UPDATE ${table} SET ${[...PLAIN_COLUMNS, ...changed].join(' = ?, ')} = ? WHERE key = ?`),
    /** What was read last. Valid because only this connection writes. */
    readStates: new LRUCache<string, DocumentState>({
      maxSize: CACHE_CHARACTERS,
      sizeCalculation: ({ body = '' }) => body.length + 1,
    }),
    readViews: new LRUCache<string, DocumentView>({
      maxSize: CACHE_CHARACTERS,
      sizeCalculation: ({ view }) => (view?.json ?? '').length + 1,
    }),
    countOf: definition.countedBy === undefined ? undefined : prepareCount(database, definition),
    /** Statements of `find` by their SQL, which contains no values. */
    findStatements: new Map<string, Select>(),
  };
}

/** Writes a document, unless its `replaces` does not match and the stored state is as new. @throws {StaleDocument} */
export function writeDocument(table: CollectionTable, document: DocumentToWrite): void {
  const { definition, stateOf, insert, readStates, readViews } = table;
  const { key, position, replaces } = document;
  const plain = plainValuesOf(definition, document);
  const indexed = indexedValuesOf(definition, document);
  readStates.delete(key);
  readViews.delete(key);
  const [storedPosition, isParked, ...stored] = stateOf.get(key) ?? [];
  if (!isState(replaces, storedPosition, isParked)) {
    if (typeof storedPosition !== 'number' || BigInt(storedPosition) < position)
      throw new StaleDocument(definition.name);
    return;
  }
  if (storedPosition === undefined) return void insert.run(document.order, ...plain, ...indexed, key);
  const changed = indexed.flatMap((value, index) => (isSame(value, stored[index]) ? [] : [index]));
  updateOf(table, changed).run(...plain, ...changed.map((index) => indexed[index] ?? null), key);
}

/** Booleans are blobs, which differ as objects. */
function isSame(value: SQLInputValue, stored: Row[number] | undefined): boolean {
  return value === stored || (value instanceof Uint8Array && decodeIndex(value) === decodeIndex(stored));
}

function isState(
  replaces: ReplacedState | null,
  position: Row[number] | undefined,
  isParked: Row[number] | undefined,
): boolean {
  if (replaces === null || typeof position !== 'number') return replaces === null && position === undefined;
  return replaces.position === BigInt(position) && Number(replaces.isParked) === isParked;
}

/** Returns the statement that sets the plain columns and those of these indexes of `indexedColumns`. */
function updateOf({ definition, updates, prepareUpdate }: CollectionTable, changed: readonly number[]): StatementSync {
  const name = changed.join();
  const known = updates.get(name);
  if (known !== undefined) return known;
  const columns = indexedColumns(definition);
  const statement = prepareUpdate(changed.map((index) => columns[index] ?? ''));
  updates.set(name, statement);
  return statement;
}

function plainValuesOf(
  { name }: CollectionDefinition,
  { key, position, stream, revision, parked, view, body }: StoredDocument,
): SQLInputValue[] {
  if (key === '') throw new Error(`A document of ${name} has no key`);
  const parking = parked === undefined ? null : serialiseParking(parked);
  return [position, stream, revision, parking, view?.json ?? null, view?.until ?? null, body ?? null];
}

function indexedValuesOf(definition: CollectionDefinition, { body, indexes }: StoredDocument) {
  for (const index in indexes) requireIndex(definition, index);
  const values = definition.indexes.map((index) => (body === undefined ? null : encodeIndex(indexes[index] ?? null)));
  return [Number(body !== undefined), ...values];
}

const HEADER_COLUMNS = 7;

function headerOf({ indexes }: CollectionDefinition, row: Row) {
  const values: Record<string, IndexValue> = {};
  let column = HEADER_COLUMNS;
  for (const index of indexes) values[index] = decodeIndex(row[column++]);
  const parked = row[6] as string | null;
  return {
    key: row[0] as string,
    position: BigInt(row[1] as number),
    order: logOrder(BigInt(row[2] as number), row[3] as number),
    stream: row[4] as string,
    revision: row[5] as number,
    parked: parked === null ? undefined : parseParking(parked),
    indexes: values,
  };
}

function textAt(row: Row, column: number): string | undefined {
  return (row[column] as string | null) ?? undefined;
}

export function stateFromRow(definition: CollectionDefinition, row: Row): DocumentState {
  return { ...headerOf(definition, row), body: textAt(row, HEADER_COLUMNS + definition.indexes.length) };
}

export function viewFromRow(definition: CollectionDefinition, row: Row): DocumentView {
  const column = HEADER_COLUMNS + definition.indexes.length;
  const json = textAt(row, column);
  const view = json === undefined ? undefined : { json, until: textAt(row, column + 1) ?? null };
  return { ...headerOf(definition, row), view };
}

export function fromRow(definition: CollectionDefinition, row: Row): StoredDocument {
  return { ...viewFromRow(definition, row), body: textAt(row, HEADER_COLUMNS + definition.indexes.length + 2) };
}

function serialiseParking(parked: Parking): string {
  return JSON.stringify({ ...parked, position: parked.position.toString() });
}

export function parseParking(text: string): Parking {
  const parked = JSON.parse(text) as Omit<Parking, 'position'> & { readonly position: string };
  return { ...parked, position: BigInt(parked.position) };
}

// SQLite has no booleans; blobs of one byte are distinct from the numbers 0 and 1.
const TRUE = Uint8Array.of(1);
const FALSE = Uint8Array.of(0);

export function encodeIndex(value: IndexValue): SQLInputValue {
  return typeof value === 'boolean' ? (value ? TRUE : FALSE) : value;
}

function decodeIndex(value: Row[number] | undefined): IndexValue {
  return typeof value === 'object' && value !== null ? value[0] === 1 : (value ?? null);
}
