import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { openForCheckpoints, type Select, select } from './database.ts';

/** Pages in the WAL from which a checkpoint is worth its two fsyncs: 16 MiB. */
const MIN_PAGES = 4_000;

/**
 * Copies pages from the WAL of a database into its file by a connection of its own. No reader or writer waits for it.
 */
export class WalCheckpoint {
  readonly #file: string;
  #connection: { readonly database: DatabaseSync; readonly pending: Select; readonly run: Select } | undefined;
  /** Of the file that the connection has open. */
  #inode: number | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Copies what the WAL holds unless that is little. Errors are ignored, as SQLite ignores those of automatic
   * checkpoints: the pages stay in the WAL, and the next run tries again.
   */
  run(): void {
    try {
      const inode = statSync(this.#file, { throwIfNoEntry: false })?.ino;
      // A damaged file of read models is renamed while the service runs, and another one is created.
      if (inode !== this.#inode) this.close();
      this.#inode = inode;
      if (inode === undefined) return;
      const { pending, run } = (this.#connection ??= this.#open());
      const [, written, copied] = pending.get() ?? [];
      if (Number(written) - Number(copied) >= MIN_PAGES) run.get();
    } catch {
      this.close();
    }
  }

  close(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    connection?.database.close();
  }

  #open() {
    const database = openForCheckpoints(this.#file);
    return {
      database,
      pending: select(database, 'PRAGMA wal_checkpoint(NOOP)'),
      run: select(database, 'PRAGMA wal_checkpoint(PASSIVE)'),
    };
  }
}
