import type { DatabaseSync } from 'node:sqlite';
import { StoreDamaged, StoreUnavailable } from '../shared/store-unavailable.ts';
import { openReader, select } from './database.ts';

/**
 * Connection that is discarded after any error of SQLite and reopened by the next use, because after a failed write or
 * fsync its state in memory may differ from the file.
 */
export class Connection<S> {
  readonly #file: string;
  readonly #open: () => DatabaseSync;
  readonly #prepare: (database: DatabaseSync) => S;
  #current: { readonly database: DatabaseSync; readonly statements: S } | undefined;
  #closed = false;

  /** @param prepare prepares the statements of a connection that was opened; if it throws, the connection is closed */
  constructor(file: string, open: () => DatabaseSync, prepare: (database: DatabaseSync) => S) {
    this.#file = file;
    this.#open = open;
    this.#prepare = prepare;
  }

  /**
   * Runs `action` on the open connection. Other errors of `action` are passed on.
   * @throws {StoreDamaged} when the file is damaged
   * @throws {StoreUnavailable} when SQLite fails, or the connection was closed.
   */
  use<T>(action: (statements: S, database: DatabaseSync) => T): T {
    try {
      const current = this.#current ?? this.#reopen();
      return action(current.statements, current.database);
    } catch (error) {
      if (!isSqliteError(error)) throw error;
      this.#discard();
      if (isDamage(error)) throw new StoreDamaged(this.#file, error.message, { cause: error });
      throw new StoreUnavailable(`SQLite: ${error.message}`, { cause: error, store: 'SQLite' });
    }
  }

  close(): void {
    this.#closed = true;
    this.#discard();
  }

  #reopen() {
    if (this.#closed) throw new StoreUnavailable('The store is closed');
    let database: DatabaseSync | undefined;
    try {
      database = this.#open();
      this.#current = { database, statements: this.#prepare(database) };
      return this.#current;
    } catch (error) {
      database?.close();
      if (!hasCode(error)) throw error;
      if (isDamage(error)) throw new StoreDamaged(this.#file, error.message, { cause: error });
      throw new StoreUnavailable(`SQLite cannot open ${this.#file}: ${error.message}`, {
        cause: error,
        store: 'SQLite',
      });
    }
  }

  #discard(): void {
    const current = this.#current;
    this.#current = undefined;
    try {
      current?.database.close();
    } catch {
      // Closing the last connection runs a checkpoint of the WAL; if it fails, the next connection runs it.
    }
  }
}

interface ErrorWithCode {
  readonly code: unknown;
  readonly errcode?: number;
  readonly message: string;
}

/** SQLITE_CORRUPT and SQLITE_NOTADB, in the low byte of an extended code. */
const DAMAGE_CODES = [11, 26];

function isDamage({ errcode }: ErrorWithCode): boolean {
  return errcode !== undefined && DAMAGE_CODES.includes(errcode & 0xff);
}

/** Checks the schema, because errors of Node may be of another realm's `Error`. */
function hasCode(error: unknown): error is ErrorWithCode {
  return typeof error === 'object' && error !== null && 'code' in error && 'message' in error;
}

/** Returns whether `error` was thrown by `node:sqlite`. */
export function isSqliteError(error: unknown): error is ErrorWithCode {
  // ERR_INVALID_STATE: the connection is closed.
  return hasCode(error) && (error.code === 'ERR_SQLITE_ERROR' || error.code === 'ERR_INVALID_STATE');
}

/**
 * Lets SQLite check an existing database: its pages, and its indexes against its tables. Returns what is wrong, each
 * with the name of the file. It blocks the thread, for about 3 s a GiB.
 */
export function checkIntegrity(file: string): readonly string[] {
  try {
    const database = openReader(file);
    try {
      const results = select(database, 'PRAGMA integrity_check').all();
      return results.flatMap(([result]) => (result === 'ok' ? [] : [`${file}: ${oneLine(String(result))}`]));
    } finally {
      database.close();
    }
  } catch (error) {
    if (!isSqliteError(error)) throw error;
    return [`${file}: ${error.message}`];
  }
}

function oneLine(text: string): string {
  return text.replaceAll('\n', ' ');
}
