import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { createFolder } from '#service/config/data-folder.ts';
import { StoreUnavailable } from '../shared/store-unavailable.ts';

export interface DatabaseOptions {
  readonly file: string;
  /**
   * `full`: committed transactions survive a power cut. `normal`: a power cut may undo the newest transactions, whole
   * and in order; only for data that can be rebuilt.
   */
  readonly synchronous: 'full' | 'normal';
  readonly cacheMib: number;
  /** Called with every connection that is opened, so that tests can simulate a full disk. */
  readonly onOpened?: ((database: DatabaseSync) => void) | undefined;
}

/** Row as an array of columns, in the order of the SELECT. */
export type Row = readonly (string | number | Uint8Array | null)[];

/** SELECT that returns rows as arrays, which is about twice as fast as objects. */
export interface Select {
  get(...parameters: readonly SQLInputValue[]): Row | undefined;
  all(...parameters: readonly SQLInputValue[]): readonly Row[];
  iterate(...parameters: readonly SQLInputValue[]): Iterable<Row>;
}

const synchronousLevel = { full: 2, normal: 1 } as const;

/** Time limit for the lock of another process, such as a backup or a shell. */
export const BUSY_TIMEOUT_MS = 5_000;

/**
 * A commit runs a checkpoint itself when the WAL has 64 MiB. By then the checkpoint thread has copied nearly all pages.
 * SQLite reuses the WAL only after a commit has found all of them copied.
 */
const checkpointPages = 16_000;

export function openDatabase(options: DatabaseOptions): DatabaseSync {
  createFolder(dirname(options.file));
  const database = new DatabaseSync(options.file, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
  try {
    requirePragma(database, 'journal_mode = WAL', 'journal_mode', 'wal');
    const level = synchronousLevel[options.synchronous];
    requirePragma(database, `synchronous = ${level}`, 'synchronous', level);
    requirePragma(database, 'foreign_keys = ON', 'foreign_keys', 1);
    requirePragma(database, `busy_timeout = ${BUSY_TIMEOUT_MS}`, 'busy_timeout', BUSY_TIMEOUT_MS);
    requirePragma(database, `wal_autocheckpoint = ${checkpointPages}`, 'wal_autocheckpoint', checkpointPages);
    database.exec(`PRAGMA cache_size = ${-1024 * options.cacheMib}`);
    if (options.synchronous === 'full') syncWal(options.file);
    options.onOpened?.(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Opens an empty database in a temporary file without a name, which ends with the connection, also when the process is
 * killed. SQLite creates it in SQLITE_TMPDIR, TMPDIR or /var/tmp. Pages beyond the cache are not held in memory.
 */
export function openTemporaryDatabase(cacheMib: number): DatabaseSync {
  const database = new DatabaseSync('');
  database.exec(`PRAGMA cache_size = ${-1024 * cacheMib}`);
  return database;
}

/**
 * Syncs the WAL, because the last process may have ended between a write and its sync: data that is read now must
 * survive a power cut. A checkpoint would do the same, but fails while another process reads an older state, such as a
 * backup.
 */
function syncWal(file: string): void {
  const wal = `${file}-wal`;
  if (!existsSync(wal)) return;
  const handle = openSync(wal, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Opens an existing WAL database for reading committed data without waiting for the writer. */
export function openReader(file: string, cacheMib = 16): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  database.exec(`PRAGMA cache_size = ${-1024 * cacheMib}`);
  return database;
}

/** Opens an existing database for checkpoints of its WAL. Does not wait for locks. */
export function openForCheckpoints(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 0 });
  requirePragma(database, `synchronous = ${synchronousLevel.full}`, 'synchronous', synchronousLevel.full);
  return database;
}

/** Sets a pragma and reads it back, because SQLite ignores an unsupported value without an error. */
function requirePragma(database: DatabaseSync, request: string, name: string, wanted: string | number): void {
  database.exec(`PRAGMA ${request}`);
  const actual = pragma(database, name);
  if (actual !== wanted) throw new StoreUnavailable(`SQLite refused PRAGMA ${request}: ${name} is ${String(actual)}`);
}

export function pragma(database: DatabaseSync, name: string): Row[number] | undefined {
  return select(database, `PRAGMA ${name}`).get()?.[0];
}

export function select(database: DatabaseSync, sql: string): Select {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  return statement as StatementSync & Select;
}

/** Runs `action` between BEGIN IMMEDIATE and COMMIT; rolls back after an error. */
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

/**
 * Runs `action` in a transaction that survives a power cut, in a database that is opened with `synchronous: 'normal'`.
 */
export function inSyncedTransaction<T>(database: DatabaseSync, action: () => T): T {
  database.exec(`PRAGMA synchronous = ${synchronousLevel.full}`);
  try {
    return inTransaction(database, action);
  } finally {
    database.exec(`PRAGMA synchronous = ${synchronousLevel.normal}`);
  }
}

/** Ignores errors, which would hide the first one: SQLite has already rolled back after some errors. */
function rollBack(database: DatabaseSync): void {
  try {
    if (database.isTransaction) database.exec('ROLLBACK');
  } catch {
    // The caller closes the connection, which ends the transaction.
  }
}

export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
