import type { DatabaseSync } from 'node:sqlite';
import { select, type Select } from '../../sqlite/database.ts';
import { StoreDamaged } from '../../shared/store-unavailable.ts';
import { eventColumns } from './stored-event.ts';

export type WriterStatements = ReturnType<typeof prepareWriter>;
export type ReaderStatements = ReturnType<typeof prepareReader>;

const schema = `
  CREATE TABLE IF NOT EXISTS events (
    position INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    revision INTEGER NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    metadata TEXT NOT NULL,
    checksum INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX IF NOT EXISTS events_by_stream ON events (stream, revision);
`;

/** Prepares the statements of the connection that writes the log, and reads it too. */
export function prepareWriter(database: DatabaseSync) {
  database.exec(schema);
  return {
    ...prepareReader(database),
    lastRevision: select(database, 'SELECT revision FROM events WHERE stream = ? ORDER BY revision DESC LIMIT 1'),
    idAndPosition: select(database, 'SELECT id, position FROM events WHERE stream = ? AND revision = ?'),
    insert: database.prepare(`INSERT INTO events (${eventColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`),
  };
}

/** Prepares the statements of a reader; a writer must have opened the log before. */
export function prepareReader(database: DatabaseSync) {
  const columns = `SELECT ${eventColumns} FROM events`;
  // SQLite plans a statement with `LIMIT ?` again at every execution, which takes longer than to find an event.
  const limit = 'LIMIT ? + 0';
  return {
    last: select(database, 'SELECT max(position) FROM events'),
    stream: select(database, `${columns} WHERE stream = ? AND revision >= ? ORDER BY revision ${limit}`),
    newest: select(database, `${columns} WHERE stream = ? ORDER BY revision DESC LIMIT 1`),
    at: select(database, `${columns} WHERE position = ?`),
    all: select(database, `${columns} WHERE position > ? ORDER BY position ${limit}`),
  };
}

export function missingEvent(file: string, place: string): StoreDamaged {
  return new StoreDamaged(file, `the event at ${place} is missing`);
}

export function readLastPosition(statements: { readonly last: Select }): number {
  return Number(statements.last.get()?.[0] ?? 0);
}
