import type { DatabaseSync } from 'node:sqlite';
import { inTransaction, openTemporaryDatabase } from '../../sqlite/database.ts';
import type { Position } from '../event-log.ts';
import type { EventIndex, IndexedEvent } from '../unchecked-log.ts';

const CACHE_MIB = 32;

/**
 * Without an index, because sorting all rows once takes less time than keeping them sorted. A damaged log may have a
 * position twice.
 */
const SCHEMA = 'CREATE TABLE events (position, id, stream, revision, recorded_at)';
const COLUMNS = 'position, id, stream, revision, recorded_at';

const REPEATED_IDS = `
  SELECT * FROM (SELECT ${COLUMNS}, lag(id) OVER w AS other, lag(position) OVER w AS earlier FROM events
    WINDOW w AS (ORDER BY id, position)) WHERE id = other ORDER BY position`;

const MISPLACED = `
  SELECT * FROM (SELECT ${COLUMNS}, lag(position) OVER w AS before, lag(revision) OVER w AS revision_before,
    lag(recorded_at) OVER w AS recorded_before FROM events WINDOW w AS (PARTITION BY stream ORDER BY position))
  WHERE revision <> coalesce(revision_before, -1) + 1 OR recorded_at < recorded_before ORDER BY position`;

type IndexRow = Readonly<Record<string, unknown>>;

export function openTemporaryEventIndex(): EventIndex {
  const database = openTemporaryDatabase(CACHE_MIB);
  database.exec(SCHEMA);
  const insert = database.prepare(`INSERT INTO events (${COLUMNS}) VALUES (?, ?, ?, ?, ?)`);
  return {
    add: (events) =>
      inTransaction(database, () => {
        for (const { position, id, stream, revision, recordedAt } of events)
          insert.run(position, id, stream, revision, recordedAt ?? null);
      }),
    repeatedIds: function* () {
      for (const row of rowsOf(database, REPEATED_IDS))
        yield { event: eventOf(row), earlier: row['earlier'] as Position };
    },
    outOfOrder: function* () {
      for (const row of rowsOf(database, MISPLACED)) {
        const { before, revision_before: revision, recorded_before: recordedAt } = row;
        const previous = { position: before as Position, revision: Number(revision), recordedAt: textOf(recordedAt) };
        yield { event: eventOf(row), previous: before === null ? undefined : previous };
      }
    },
    close: () => database.close(),
  };
}

function rowsOf(database: DatabaseSync, sql: string): Iterable<IndexRow> {
  const statement = database.prepare(sql);
  // Positions of EventStoreDB may be greater than a number holds exactly.
  statement.setReadBigInts(true);
  return statement.iterate();
}

function eventOf({ position, id, stream, revision, recorded_at }: IndexRow): IndexedEvent {
  const recordedAt = textOf(recorded_at);
  return {
    position: position as Position,
    id: String(id),
    stream: String(stream),
    revision: Number(revision),
    recordedAt,
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
