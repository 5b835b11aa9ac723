import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { SQLInputValue, StatementSync } from 'node:sqlite';

import { StoreUnavailable } from '../event-store/event-store.ts';

export interface DatabaseOptions {
  readonly file: string;
  /**
   * `full`: a committed transaction survives a power cut. `normal`: a power cut may take the newest transactions, each of
   * them whole and in order; only for what can be made again.
   */
  readonly synchronous: 'full' | 'normal';
  readonly cacheMib?: number;
}

/** A row as `all` and `get` of a positional statement give it: the columns in the order of the SELECT. */
export type Row = readonly (string | number | Uint8Array | null)[];

/** A SELECT that gives its rows by position, which is about twice as fast as objects. */
export interface Select {
  get(...parameters: readonly SQLInputValue[]): Row | undefined;
  all(...parameters: readonly SQLInputValue[]): readonly Row[];
}

const synchronousLevel = { full: 2, normal: 1 } as const;

/** How long a statement waits for a lock of another process, which only a backup or a shell would hold. */
const busyTimeoutMs = 5_000;

/** The log beside the file is copied into it every 16 MiB: less often than the default, because each copy costs two fsyncs. */
const checkpointPages = 4_000;

/** Opens (and if need be makes) a database file for reading and writing, and proves that the settings that count are in force. */
export function openDatabase(options: DatabaseOptions): DatabaseSync {
  mkdirSync(dirname(options.file), { recursive: true });
  const database = new DatabaseSync(options.file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
  try {
    demand(database, 'journal_mode = WAL', 'journal_mode', 'wal');
    const level = synchronousLevel[options.synchronous];
    demand(database, `synchronous = ${level}`, 'synchronous', level);
    demand(database, 'foreign_keys = ON', 'foreign_keys', 1);
    demand(database, `busy_timeout = ${busyTimeoutMs}`, 'busy_timeout', busyTimeoutMs);
    demand(database, `wal_autocheckpoint = ${checkpointPages}`, 'wal_autocheckpoint', checkpointPages);
    database.exec(`PRAGMA cache_size = ${-1024 * (options.cacheMib ?? 16)}`);
    if (options.synchronous === 'full') settle(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * What the last process wrote but may not have synced is copied into the file and synced, so that nobody reads, or
 * answers a retry with, what a power cut could still take.
 */
function settle(database: DatabaseSync): void {
  const [busy] = select(database, 'PRAGMA wal_checkpoint(TRUNCATE)').get() ?? [];
  if (busy !== 0) throw new StoreUnavailable('SQLite: another process reads the database, so it cannot be synced');
}

/** Opens an existing WAL database for reading: it sees what is committed, and never waits for the writer. */
export function openReader(file: string, cacheMib = 16): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs });
  database.exec(`PRAGMA cache_size = ${-1024 * cacheMib}`);
  return database;
}

/** Asks for a setting and reads it back, because SQLite ignores what it cannot do without a word. */
function demand(database: DatabaseSync, request: string, name: string, wanted: string | number): void {
  database.exec(`PRAGMA ${request}`);
  const answer = pragma(database, name);
  if (answer !== wanted) throw new StoreUnavailable(`SQLite refused PRAGMA ${request}: ${name} is ${String(answer)}`);
}

/** The first value that a pragma answers with. */
export function pragma(database: DatabaseSync, name: string): Row[number] | undefined {
  return select(database, `PRAGMA ${name}`).get()?.[0];
}

/** Prepares a positional SELECT. */
export function select(database: DatabaseSync, sql: string): Select {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  return statement as StatementSync & Select;
}

/** Runs `action` between BEGIN IMMEDIATE and COMMIT; if anything throws, nothing of it is kept. */
export function inTransaction<T>(database: DatabaseSync, action: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = action();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** SQLite rolls back by itself on some errors, and a broken connection cannot: neither may hide the first error. */
function rollBack(database: DatabaseSync): void {
  try {
    if (database.isTransaction) database.exec('ROLLBACK');
  } catch {
    // The connection is closed after any error, and that ends the transaction too.
  }
}

/** `name` as an SQL identifier, whatever it contains. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
