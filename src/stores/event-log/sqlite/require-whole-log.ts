import type { DatabaseSync } from 'node:sqlite';
import { Connection } from '../../sqlite/connection.ts';
import { openReader, select } from '../../sqlite/database.ts';
import { StoreDamaged } from '../../shared/store-unavailable.ts';
import { missingEvent } from './log-file.ts';
import { eventColumns, fromRow } from './stored-event.ts';

const NEWEST = 100;

/**
 * Checks that the log in `file` lacks no event, because a command would append another one at the revision of the
 * newest event of a stream, and that its newest events are as they were appended. It reads one index, not the events.
 * @throws {StoreDamaged}
 * @throws {StoreUnavailable}
 */
export function requireWholeLog(file: string): void {
  const connection = new Connection(
    file,
    () => openReader(file, 1),
    (database) => database,
  );
  try {
    connection.use((database) => {
      requireNoGap(database, file);
      requireNewest(database, file);
    });
  } finally {
    connection.close();
  }
}

/** Positions are 1, 2, 3 …, so the newest one is the number of events. */
function requireNoGap(database: DatabaseSync, file: string): void {
  const [count, last] = select(database, 'SELECT count(*), ifnull(max(position), 0) FROM events').get() ?? [];
  if (count === last) return;
  const positions = '(SELECT 0 AS position UNION ALL SELECT position FROM events)';
  const [before] =
    select(
      database,
      `SELECT min(position) FROM ${positions} WHERE position + 1 NOT IN (SELECT position FROM events)`,
    ).get() ?? [];
  throw missingEvent(file, `position ${Number(before) + 1}`);
}

function requireNewest(database: DatabaseSync, file: string): void {
  const newest = select(database, `SELECT ${eventColumns} FROM events ORDER BY position DESC LIMIT ?`);
  const byStream = select(database, 'SELECT position FROM events WHERE stream = ? AND revision = ?');
  for (const { position, stream, revision, isAltered } of newest.all(NEWEST).map(fromRow)) {
    if (isAltered === true) throw new StoreDamaged(file, `the event at position ${position} was altered`);
    if (byStream.get(stream, revision)?.[0] !== Number(position))
      throw new StoreDamaged(file, `its index by stream misses the event at position ${position}`);
  }
}
