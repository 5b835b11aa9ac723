import type { DatabaseSync } from 'node:sqlite';

import { pragma } from '#stores/sqlite/database.ts';

const unlimited = 4_294_967_294;

/** Simulates a full disk by a limit of pages in SQLite. */
export class Disk {
  #full = false;
  readonly #connections = new Set<DatabaseSync>();

  /** Registers a connection. */
  readonly attach = (database: DatabaseSync): void => {
    this.#connections.add(database);
    this.#limit(database);
  };

  fill(): void {
    this.#set(true);
  }

  empty(): void {
    this.#set(false);
  }

  #set(full: boolean): void {
    this.#full = full;
    for (const database of this.#connections) if (database.isOpen) this.#limit(database);
  }

  #limit(database: DatabaseSync): void {
    const pages = this.#full ? Number(pragma(database, 'page_count')) : unlimited;
    database.exec(`PRAGMA max_page_count = ${pages}`);
  }
}
