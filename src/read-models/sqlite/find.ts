import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

import { select } from '../../sqlite/database.ts';
import type { Select } from '../../sqlite/database.ts';
import type { CollectionDefinition, FindQuery, FindResult, IndexValue } from '../read-models.ts';
import { declared, documentColumns, fromRow, indexColumn, listOrder, tableOf } from './collection-table.ts';
import type { CollectionTable } from './collection-table.ts';
import { encodeIndex } from './index-value.ts';

/** More than all kinds of questions of the API; beyond it statements are prepared anew. */
const maxStatements = 200;

/** How far the conditions are counted to find the one that fewest documents meet. */
const raceSteps = [100, 1_000, 10_000, 100_000];

interface Condition {
  /** Undefined when no index leads to what meets the condition. */
  readonly index: string | undefined;
  readonly sql: string;
  readonly parameters: readonly SQLInputValue[];
}

const nothing: FindResult = { count: 0, documents: [] };

/** A page of the documents that match, and how many there are in all. */
export function find(database: DatabaseSync, table: CollectionTable, query: FindQuery): FindResult {
  const { definition } = table;
  if (Object.values(query.where ?? {}).some((wanted) => isList(wanted) && wanted.length === 0)) return nothing;
  const equal = Object.entries(query.where ?? {}).map(([index, wanted]) => equals(definition, index, wanted));
  const contained = Object.entries(query.contains ?? {}).map(([index, text]) => contains(definition, index, text));
  const limited = Object.entries(query.atMost ?? {}).map(([index, most]) => atMost(definition, index, most));
  const conditions = [...equal, ...limited, ...contained];
  const parameters = conditions.flatMap((condition) => condition.parameters);
  const from = source(definition, rarest(database, table, [...equal, ...limited])?.index, conditions);
  const columns = documentColumns(definition).join(', ');
  const page = prepared(database, table, `SELECT ${columns} ${from} ORDER BY created_at, key LIMIT ? OFFSET ?`);
  const rows = page.all(...parameters, query.limit, query.offset);
  const documents = rows.map((row) => fromRow(definition, row));
  // A page that is not full is the last one, so it tells the count by itself.
  const last = rows.length < query.limit && (rows.length > 0 || query.offset === 0);
  if (last) return { count: query.offset + rows.length, documents };
  const counted = prepared(database, table, `SELECT count(*) ${from}`).get(...parameters);
  return { count: Number(counted?.[0]), documents };
}

/**
 * The condition that fewest documents meet, found by counting a few of each. SQLite's own statistics know averages only:
 * with them it looks up one merchant's active policies by "active" as soon as another merchant is large.
 */
function rarest(
  database: DatabaseSync,
  table: CollectionTable,
  conditions: readonly Condition[],
): Condition | undefined {
  const candidates = conditions.filter(({ index }) => index !== undefined);
  if (candidates.length < 2) return candidates[0];
  for (const step of raceSteps) {
    for (const condition of candidates) {
      const from = source(table.definition, condition.index, [condition]);
      const counting = prepared(database, table, `SELECT count(*) FROM (SELECT 1 ${from} LIMIT ?)`);
      if (Number(counting.get(...condition.parameters, step)?.[0]) < step) return condition;
    }
  }
  return candidates[0];
}

/** The listed documents that meet the conditions, read in the order of `index`. */
function source(definition: CollectionDefinition, index: string | undefined, conditions: readonly Condition[]): string {
  const where = ['body IS NOT NULL', ...conditions.map(({ sql }) => sql)].join(' AND ');
  return `FROM ${tableOf(definition)} INDEXED BY ${listOrder(definition, index)} WHERE ${where}`;
}

function atMost(definition: CollectionDefinition, index: string, most: string): Condition {
  const column = indexColumn(declared(definition, index));
  // For SQLite every number comes before every text.
  return { index, sql: `${column} BETWEEN '' AND ?`, parameters: [encodeIndex(most)] };
}

function contains(definition: CollectionDefinition, index: string, text: string): Condition {
  const column = indexColumn(declared(definition, index));
  // By itself SQLite looks for it in the digits of a number as well.
  return { index: undefined, sql: `(typeof(${column}) = 'text' AND instr(${column}, ?) > 0)`, parameters: [text] };
}

function equals(
  definition: CollectionDefinition,
  index: string,
  wanted: IndexValue | readonly IndexValue[],
): Condition {
  const column = indexColumn(declared(definition, index));
  const values = isList(wanted) ? wanted : [wanted];
  const parameters = values.filter((value) => value !== null).map(encodeIndex);
  const oneOf = `${column} IN (${parameters.map(() => '?').join(', ')})`;
  if (parameters.length === 0) return { index, sql: `${column} IS NULL`, parameters };
  if (parameters.length === values.length) return { index, sql: oneOf, parameters };
  return { index: undefined, sql: `(${oneOf} OR ${column} IS NULL)`, parameters };
}

function isList(wanted: IndexValue | readonly IndexValue[]): wanted is readonly IndexValue[] {
  return Array.isArray(wanted);
}

function prepared(database: DatabaseSync, table: CollectionTable, sql: string): Select {
  const known = table.finds.get(sql);
  if (known !== undefined) return known;
  if (table.finds.size >= maxStatements) table.finds.clear();
  const statement = select(database, sql);
  table.finds.set(sql, statement);
  return statement;
}
