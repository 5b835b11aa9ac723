import type { DatabaseSync } from 'node:sqlite';

import { StoreUnavailable } from '../event-store/event-store.ts';

/** A connection with the statements that were prepared on it. */
export interface Opened<S> {
  readonly database: DatabaseSync;
  readonly statements: S;
}

/**
 * A connection that is thrown away after any error of SQLite and opened anew by the next use, since after a failed
 * write or fsync nothing that it still holds in memory can be trusted.
 */
export class Connection<S> {
  readonly #file: string;
  readonly #open: () => Opened<S>;
  #current: Opened<S> | undefined;
  #closed = false;

  /** @param file what `open` opens, as it is told when it cannot */
  constructor(file: string, open: () => Opened<S>) {
    this.#file = file;
    this.#open = open;
  }

  /**
   * Runs `action` on the open connection. What `action` throws by itself passes through.
   * @throws {StoreUnavailable} when SQLite fails, or the connection was closed.
   */
  use<T>(action: (statements: S, database: DatabaseSync) => T): T {
    try {
      const current = this.#current ?? this.#reopen();
      return action(current.statements, current.database);
    } catch (error) {
      if (!isSqliteError(error)) throw error;
      this.#discard();
      throw new StoreUnavailable(`SQLite: ${error.message}`, { cause: error, store: 'SQLite' });
    }
  }

  /** Closes for good; repeating it does nothing. */
  close(): void {
    this.#closed = true;
    this.#discard();
  }

  #reopen(): Opened<S> {
    if (this.#closed) throw new StoreUnavailable('The store is closed');
    try {
      this.#current = this.#open();
      return this.#current;
    } catch (error) {
      if (!hasCode(error)) throw error;
      // Of SQLite or of the file system: no disk, no permission, no such folder.
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
      // The last connection copies the log into the file as it closes; if it cannot, the next opening does.
    }
  }
}

interface ErrorWithCode {
  readonly code: unknown;
  readonly errcode?: number;
  readonly message: string;
}

/** By its shape: what Node throws need not be an `instanceof` the `Error` of this realm. */
function hasCode(error: unknown): error is ErrorWithCode {
  return typeof error === 'object' && error !== null && 'code' in error && 'message' in error;
}

/** Whether `error` came out of SQLite, and not out of code that used it. */
export function isSqliteError(error: unknown): error is ErrorWithCode {
  // ERR_INVALID_STATE: the connection is closed.
  return hasCode(error) && (error.code === 'ERR_SQLITE_ERROR' || error.code === 'ERR_INVALID_STATE');
}
