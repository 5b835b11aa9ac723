import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Connection } from '../../sqlite/connection.ts';
import { openDatabase, openReader, type Row } from '../../sqlite/database.ts';
import { StoreUnavailable } from '../../shared/store-unavailable.ts';
import type { EventStore, Position, StoredEvent, SubscribeOptions, SubscriptionMessage } from '../event-log.ts';
import { unlessAborted } from '../../shared/timing.ts';
import { AwaitablePosition } from '../awaitable-position.ts';
import { serialise } from '../serialised-append.ts';
import { GroupCommit } from './group-commit.ts';
import { missingEvent, prepareReader, prepareWriter, readLastPosition, type ReaderStatements } from './log-file.ts';
import { NewestEvents } from './newest-events.ts';
import { charactersOf, fromRow } from './stored-event.ts';

const CACHE_MIB = 32;

interface SqliteEventStoreOptions {
  readonly file: string;
  /** As `onOpened` of `openDatabase`. */
  readonly onOpened?: (database: DatabaseSync) => void;
}

/**
 * Opens the event log in `file`, and creates it if it is missing. Only one store in one process may have it open: lock
 * the folder first (`lockFolder`).
 * @throws {StoreDamaged} when the file is damaged
 * @throws {StoreUnavailable} when it cannot be opened
 */
export function openSqliteEventStore(options: SqliteEventStoreOptions): EventStore {
  const { file } = options;
  const committed = new AwaitablePosition();
  const open = (): DatabaseSync =>
    openDatabase({ file, synchronous: 'full', cacheMib: CACHE_MIB, onOpened: options.onOpened });
  // The only connection, because another one would drop its cached pages after every commit.
  const connection = new Connection(file, open, (database) => {
    const statements = prepareWriter(database);
    const last = readLastPosition(statements);
    const { position: acknowledged = 0n } = committed;
    if (last < acknowledged)
      throw new StoreUnavailable(`SQLite: the log ends at ${last}, but ${acknowledged} was acknowledged`);
    committed.moveTo(BigInt(last));
    return statements;
  });
  const newest = new NewestEvents();
  const groupCommit = new GroupCommit(connection, committed, newest);
  const reads = readsOf(connection, file);
  connection.use(() => {});

  return {
    append: async (appends) =>
      await new Promise((resolve, reject) => {
        if (committed.hasEnded) throw new StoreUnavailable('The store is closed');
        groupCommit.add({ appends: appends.map(serialise), resolve, reject });
      }),
    inBatches: async (work) => await groupCommit.inBatches(work),
    ...reads,
    readStream: async (stream, options = {}) => {
      const { from = 0, limit } = options;
      if (newest.endsBefore(stream, from)) return [];
      const events = await reads.readStream(stream, options);
      const last = events.at(-1);
      if (last !== undefined && limit === undefined) newest.addLast(last);
      return events;
    },
    readLast: async (stream) => connection.use(({ newest }) => eventOf(newest.get(stream))),
    subscribe: (subscription) => subscribe(connection, file, { committed, newest }, subscription),
    ping: async () => connection.use(({ last }) => void last.get()),
    close: async () => {
      if (committed.hasEnded) return;
      committed.end();
      groupCommit.drain();
      connection.close();
    },
  };
}

export type LogReader = Pick<EventStore, 'readAll' | 'readAt' | 'readStream' | 'lastPosition' | 'close'>;

/**
 * Opens the log in `file` for reading only, beside the store that writes it, also in another thread.
 * @param readsGaps `readAll` returns what there is also where the log lacks an event
 */
export function openSqliteLogReader(file: string, { readsGaps = false } = {}): LogReader {
  // A cache is of no use to a reader of the whole log.
  const reader = new Connection(file, () => openReader(file, 1), prepareReader);
  const reads = readsOf(reader, file);
  return {
    ...reads,
    readAll: async (page) => (readsGaps ? readPage(reader, page.after ?? 0n, page.limit) : await reads.readAll(page)),
    close: async () => reader.close(),
  };
}

function readsOf(reader: Connection<ReaderStatements>, file: string): Omit<LogReader, 'close'> {
  return {
    readAll: async ({ after = 0n, limit }) => readAll(reader, file, after, limit),
    readAt: async (position) => reader.use(({ at }) => eventOf(at.get(position))),
    readStream: async (stream, options) => await readStream(reader, file, stream, options),
    lastPosition: async () => reader.use((statements) => asPosition(readLastPosition(statements))),
  };
}

function eventOf(row: Row | undefined): StoredEvent | undefined {
  return row === undefined ? undefined : fromRow(row);
}

function asPosition(last: number): Position | undefined {
  return last === 0 ? undefined : BigInt(last);
}

function readPage(reader: Connection<ReaderStatements>, after: Position, limit: number): readonly StoredEvent[] {
  return reader.use(({ all }) => all.all(after, limit).map(fromRow));
}

/** @throws {StoreDamaged} when the log lacks an event */
function readAll(
  reader: Connection<ReaderStatements>,
  file: string,
  after: Position,
  limit: number,
): readonly StoredEvent[] {
  const events = readPage(reader, after, limit);
  const gapAt = events.findIndex(({ position }, index) => position !== after + BigInt(index + 1));
  if (gapAt !== -1) throw missingEvent(file, `position ${after + BigInt(gapAt + 1)}`);
  return events;
}

/** Of a stream. An event may have 1 MiB. */
const EVENTS_PER_TURN = 50;

/** @throws {StoreDamaged} when the stream lacks an event: no decision may be made without it */
async function readStream(
  reader: Connection<ReaderStatements>,
  file: string,
  stream: string,
  { from = 0, limit = Number.POSITIVE_INFINITY, maxCharacters }: Parameters<EventStore['readStream']>[1] = {},
): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = [];
  for (;;) {
    const size = Math.min(EVENTS_PER_TURN, limit - events.length);
    const place = [stream, from + events.length, size] as const;
    const page = reader.use(({ stream: found }) =>
      maxCharacters === undefined ? found.all(...place).map(fromRow) : firstOf(found.iterate(...place), maxCharacters),
    );
    for (const [index, { revision }] of page.entries()) {
      const expected = from + events.length + index;
      if (revision !== expected) throw missingEvent(file, `revision ${expected} of ${stream}`);
    }
    events.push(...page);
    if (page.length < EVENTS_PER_TURN) return events;
    await nextTurn();
  }
}

/** Returns the events through the one with which they have that many characters. */
function firstOf(rows: Iterable<Row>, maxCharacters: number): readonly StoredEvent[] {
  const events: StoredEvent[] = [];
  let characters = 0;
  for (const row of rows) {
    events.push(fromRow(row));
    characters += charactersOf(row);
    if (characters >= maxCharacters) break;
  }
  return events;
}

/**
 * Ends without an error when the signal aborts or the store is closed.
 * @throws {StoreDamaged} when the log lacks an event
 */
async function* subscribe(
  reader: Connection<ReaderStatements>,
  file: string,
  { committed, newest }: { readonly committed: AwaitablePosition; readonly newest: NewestEvents },
  { after, batch, signal }: SubscribeOptions,
): AsyncGenerator<SubscriptionMessage, void, undefined> {
  let position = after ?? 0n;
  let caughtUpAt: Position | undefined;
  while (!signal.aborted && !committed.hasEnded) {
    const events = newest.after(position, batch) ?? readAll(reader, file, position, batch);
    const last = events.at(-1);
    if (last !== undefined) {
      position = last.position;
      yield { kind: 'events', events };
    }
    if (events.length === batch) {
      // Lets other work of the process run between full batches.
      await nextTurn();
    } else {
      if (caughtUpAt !== position && !signal.aborted) yield { kind: 'caught_up', position };
      caughtUpAt = position;
      await unlessAborted(committed.waitFor(position + 1n), signal);
    }
  }
}
