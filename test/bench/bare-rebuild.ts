import { performance } from 'node:perf_hooks';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { identifier } from '#stores/sqlite/database.ts';

/** Rows in one commit. */
const GROUP = 5_000;

/**
 * Does what no rebuild can avoid: reads every event, parses its JSON, and writes every finished document once, into the
 * tables and indexes of a rebuild that has ended. Returns the seconds.
 */
export function secondsOfBareRebuild(eventsFile: string, finishedFile: string, file: string): number {
  const finished = new DatabaseSync(finishedFile, { readOnly: true });
  const schema = finished
    .prepare(
      "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%' ORDER BY type DESC",
    )
    .all() as { type: string; name: string; sql: string }[];
  const tables = schema
    .filter(({ type }) => type === 'table')
    .map(({ name }) => ({ name, rows: finished.prepare(`SELECT * FROM ${identifier(name)}`).all() }));
  finished.close();
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
  for (const { sql } of schema) database.exec(sql);
  const log = new DatabaseSync(eventsFile, { readOnly: true });
  const start = performance.now();
  for (const { data, metadata } of log.prepare('SELECT data, metadata FROM events ORDER BY position').iterate()) {
    JSON.parse(String(data));
    JSON.parse(String(metadata));
  }
  for (const { name, rows } of tables) insert(database, name, rows);
  const seconds = (performance.now() - start) / 1_000;
  log.close();
  database.close();
  return seconds;
}

function insert(database: DatabaseSync, table: string, rows: readonly Record<string, SQLInputValue>[]): void {
  const columns = Object.keys(rows[0] ?? {});
  if (columns.length === 0) return;
  const names = columns.map(identifier).join(', ');
  const statement = database.prepare(
    `INSERT INTO ${identifier(table)} (${names}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  for (let at = 0; at < rows.length; at += GROUP) {
    database.exec('BEGIN IMMEDIATE');
    for (const row of rows.slice(at, at + GROUP)) statement.run(...Object.values(row));
    database.exec('COMMIT');
  }
}
