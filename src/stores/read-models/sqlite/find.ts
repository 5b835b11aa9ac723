import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { select, type Select } from '../../sqlite/database.ts';
import type {
  CollectionDefinition,
  FindQuery,
  FindResult,
  IndexBounds,
  IndexValue,
  ScanIndexOptions,
  StoredDocument,
} from '../read-models.ts';
import { requireIndex, countFromPage, isValueList, matchesNothing } from '../collection-definitions.ts';
import {
  type CollectionTable,
  documentColumns,
  encodeIndex,
  fromRow,
  indexColumn,
  listIndex,
  tableOf,
} from './collection-table.ts';

/** Maximum number of cached statements, more than the API has kinds of queries. */
const maxStatements = 200;

/** Limits of the counts that find the most selective condition. */
const countLimits = [100, 1_000, 10_000, 100_000];

interface Condition {
  readonly index: string | undefined;
  readonly sql: string;
  readonly parameters: readonly SQLInputValue[];
}

const NO_RESULT: FindResult = { count: 0, documents: [] };

export function find(database: DatabaseSync, table: CollectionTable, query: FindQuery): FindResult {
  const { definition } = table;
  if (matchesNothing(query)) return NO_RESULT;
  const equalities = Object.entries(query.where ?? {}).map(([index, value]) =>
    equalCondition(definition, index, value),
  );
  const substrings = Object.entries(query.contains ?? {}).map(([index, text]) =>
    substringCondition(definition, index, text),
  );
  const bounded = new Set([...Object.keys(query.atMost ?? {}), ...Object.keys(query.above ?? {})]);
  const bounds = [...bounded].map((index) => boundCondition(definition, index, query));
  const conditions = [...equalities, ...bounds, ...substrings];
  const index = mostSelective(database, table, [...equalities, ...bounds])?.index;
  const documents = findPage(database, table, query, index, conditions);
  const count = countFromPage(query, documents.length);
  if (count !== undefined) return { count, documents };
  return { count: keptCountOf(table, query) ?? countMatches(database, table, index, conditions), documents };
}

/** Returns the count that the store keeps for a list by one value of a counted index; undefined for another list. */
function keptCountOf(
  { definition: { countedBy }, countOf }: CollectionTable,
  { where = {}, contains = {}, atMost = {}, above = {} }: FindQuery,
): number | undefined {
  const [condition, ...others] = [where, contains, atMost, above].flatMap((conditions) => Object.entries(conditions));
  const [index, value] = condition ?? [];
  if (index === undefined || others.length > 0 || where[index] !== value || countedBy?.includes(index) !== true)
    return undefined;
  if (value === undefined || value === null || isValueList(value)) return undefined;
  return Number(countOf?.get(index, encodeIndex(value))?.[0] ?? 0);
}

function countMatches(
  database: DatabaseSync,
  table: CollectionTable,
  index: string | undefined,
  conditions: readonly Condition[],
): number {
  const counting = prepare(database, table, `SELECT count(*) ${fromClause(table.definition, index, conditions)}`);
  return Number(counting.get(...parametersOf(conditions))?.[0]);
}

export function scanIndex(
  database: DatabaseSync,
  table: CollectionTable,
  { index, atLeast = '', atMost, backwards = false, after, limit }: ScanIndexOptions,
): readonly StoredDocument[] {
  const { definition } = table;
  const column = indexColumn(requireIndex(definition, index));
  const [order, comparison] = backwards ? [' DESC', '<'] : ['', '>'];
  const read = (conditions: string, ...values: readonly SQLInputValue[]): readonly StoredDocument[] => {
    const page = prepare(
      database,
      table,
      `SELECT ${documentColumns(definition).join(', ')} FROM ${tableOf(definition)} INDEXED BY ${listIndex(definition, index)}
       WHERE ${conditions} ORDER BY ${column}${order}, row_number${order} LIMIT ?`,
    );
    return page.all(...values).map((row) => fromRow(definition, row));
  };
  if (after === undefined) return read(`${column} >= ? AND ${column} <= ?`, atLeast, atMost, limit);
  const value = encodeIndex(after.indexes[index] ?? '');
  // SQLite seeks to a value, but not to a place among the documents of a value.
  const rest = read(`${column} = ? AND row_number ${comparison} ?`, value, after.order, limit);
  const bound = backwards ? `${column} >= ?` : `${column} <= ?`;
  const next = `${column} ${comparison} ? AND ${bound}`;
  return [...rest, ...read(next, value, backwards ? atLeast : atMost, limit - rest.length)];
}

export function countIndex(
  database: DatabaseSync,
  table: CollectionTable,
  { index, atLeast = '', atMost, limit }: IndexBounds & { readonly limit: number },
): number {
  const { definition } = table;
  const column = indexColumn(requireIndex(definition, index));
  const entries = `FROM ${tableOf(definition)} INDEXED BY ${listIndex(definition, index)}`;
  const counting = prepare(
    database,
    table,
    `SELECT count(*) FROM (SELECT 1 ${entries} WHERE ${column} >= ? AND ${column} <= ? LIMIT ?)`,
  );
  return Number(counting.get(encodeIndex(atLeast), encodeIndex(atMost), limit)?.[0]);
}

/** Passes over the documents before the page by index entries alone, and reads the rows of the page. */
function findPage(
  database: DatabaseSync,
  table: CollectionTable,
  query: FindQuery,
  index: string | undefined,
  others: readonly Condition[],
): readonly StoredDocument[] {
  const { definition } = table;
  const conditions = [...others, ...placeConditions(query)];
  const isReversed = query.before !== undefined;
  const order = (query.newestFirst === true) === isReversed ? '' : ' DESC';
  const by = `ORDER BY row_number${order}`;
  const page = prepare(
    database,
    table,
    `SELECT ${documentColumns(definition).join(', ')} FROM ${tableOf(definition)} WHERE row_number IN
     (SELECT row_number ${fromClause(definition, index, conditions)} ${by} LIMIT ? OFFSET ?) ${by}`,
  );
  const rows = page.all(...parametersOf(conditions), query.limit, query.offset);
  const documents = rows.map((row) => fromRow(definition, row));
  return isReversed ? documents.reverse() : documents;
}

function parametersOf(conditions: readonly Condition[]): readonly SQLInputValue[] {
  return conditions.flatMap(({ parameters }) => parameters);
}

/**
 * Returns the condition with the fewest matches, found by counting up to a limit. SQLite's statistics are averages: it
 * would look up the active policies of a small merchant by "active" as soon as another merchant is large.
 */
function mostSelective(
  database: DatabaseSync,
  table: CollectionTable,
  conditions: readonly Condition[],
): Condition | undefined {
  const candidates = conditions.filter(({ index }) => index !== undefined);
  if (candidates.length < 2) return candidates[0];
  for (const limit of countLimits) {
    for (const condition of candidates) {
      const from = fromClause(table.definition, condition.index, [condition]);
      const counting = prepare(database, table, `SELECT count(*) FROM (SELECT 1 ${from} LIMIT ?)`);
      if (Number(counting.get(...condition.parameters, limit)?.[0]) < limit) return condition;
    }
  }
  return candidates[0];
}

/** Returns the FROM and WHERE clauses for listed documents that match the conditions, read by `index`. */
function fromClause(
  definition: CollectionDefinition,
  index: string | undefined,
  conditions: readonly Condition[],
): string {
  const table = tableOf(definition);
  // Documents without a body have no values in indexes.
  const from = index === undefined ? table : `${table} INDEXED BY ${listIndex(definition, index)}`;
  const where = [...(index === undefined ? ['listed = 1'] : []), ...conditions.map(({ sql }) => sql)];
  return `FROM ${from} WHERE ${where.join(' AND ')}`;
}

function placeConditions({ after, before, newestFirst }: FindQuery): readonly Condition[] {
  const sortKey = after ?? before;
  if (sortKey === undefined) return [];
  const sql = `row_number ${(newestFirst === true) === (after !== undefined) ? '<' : '>'} ?`;
  return [{ index: undefined, sql, parameters: [sortKey.order] }];
}

function boundCondition(definition: CollectionDefinition, index: string, { atMost, above }: FindQuery): Condition {
  const column = indexColumn(requireIndex(definition, index));
  const [lower, upper] = [above?.[index], atMost?.[index]];
  // The lower bound '' excludes numbers, which SQLite sorts before text.
  const conditions = [
    lower === undefined ? `${column} >= ''` : `${column} > ?`,
    ...(upper === undefined ? [] : [`${column} <= ?`]),
  ];
  const parameters = [lower, upper].flatMap((bound) => (bound === undefined ? [] : [encodeIndex(bound)]));
  return { index, sql: conditions.join(' AND '), parameters };
}

function substringCondition(definition: CollectionDefinition, index: string, text: string): Condition {
  const column = indexColumn(requireIndex(definition, index));
  // `instr` alone also searches the digits of numbers.
  return { index: undefined, sql: `(typeof(${column}) = 'text' AND instr(${column}, ?) > 0)`, parameters: [text] };
}

function equalCondition(
  definition: CollectionDefinition,
  index: string,
  value: IndexValue | readonly IndexValue[],
): Condition {
  const column = indexColumn(requireIndex(definition, index));
  const values = isValueList(value) ? value : [value];
  const parameters = values.filter((each) => each !== null).map(encodeIndex);
  const oneOf = `${column} IN (${parameters.map(() => '?').join(', ')})`;
  if (parameters.length === 0) return { index: undefined, sql: `${column} IS NULL`, parameters };
  if (parameters.length === values.length) return { index, sql: oneOf, parameters };
  return { index: undefined, sql: `(${oneOf} OR ${column} IS NULL)`, parameters };
}

function prepare(database: DatabaseSync, table: CollectionTable, sql: string): Select {
  const cached = table.findStatements.get(sql);
  if (cached !== undefined) return cached;
  if (table.findStatements.size >= maxStatements) table.findStatements.clear();
  const statement = select(database, sql);
  table.findStatements.set(sql, statement);
  return statement;
}
