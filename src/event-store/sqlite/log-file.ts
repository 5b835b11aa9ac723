import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { OpenDatabase } from '../../sqlite/connection.ts';
import { openDatabase, openReader, select } from '../../sqlite/database.ts';
import type { Select } from '../../sqlite/database.ts';
import { StoreDamaged } from '../../store-unavailable.ts';
import { eventColumns } from './stored-event.ts';

export interface WriterStatements {
  readonly last: Select;
  readonly lastRevision: Select;
  readonly idAndPosition: Select;
  readonly insert: StatementSync;
}

export interface ReaderStatements {
  readonly last: Select;
  readonly stream: Select;
  readonly newest: Select;
  readonly at: Select;
  readonly all: Select;
}

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

const lastPosition = 'SELECT max(position) FROM events';

export function openWriter(file: string, onOpened: (database: DatabaseSync) => void): OpenDatabase<WriterStatements> {
  const database = openDatabase({ file, synchronous: 'full', cacheMib: 32 });
  try {
    onOpened(database);
    database.exec(schema);
    return { database, statements: prepareWriter(database) };
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepareWriter(database: DatabaseSync): WriterStatements {
  return {
    last: select(database, lastPosition),
    lastRevision: select(database, 'SELECT revision FROM events WHERE stream = ? ORDER BY revision DESC LIMIT 1'),
    idAndPosition: select(database, 'SELECT id, position FROM events WHERE stream = ? AND revision = ?'),
    insert: database.prepare(`INSERT INTO events (${eventColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`),
  };
}

/** Opens the log for reading; the writer must have opened it before. */
export function openLogReader(file: string, cacheMib = 32): OpenDatabase<ReaderStatements> {
  const database = openReader(file, cacheMib);
  const columns = `SELECT ${eventColumns} FROM events`;
  return {
    database,
    statements: {
      last: select(database, lastPosition),
      stream: select(database, `${columns} WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?`),
      newest: select(database, `${columns} WHERE stream = ? ORDER BY revision DESC LIMIT 1`),
      at: select(database, `${columns} WHERE position = ?`),
      all: select(database, `${columns} WHERE position > ? ORDER BY position LIMIT ?`),
    },
  };
}

export function missingEvent(file: string, place: string): StoreDamaged {
  return new StoreDamaged(file, `the event at ${place} is missing`);
}

export function readLastPosition(statements: { readonly last: Select }): number {
  return Number(statements.last.get()?.[0] ?? 0);
}
