import { EventEmitter } from 'node:events';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Moment } from '../../domain/dates.ts';
import { Connection, type Opened } from '../../sqlite/connection.ts';
import { inTransaction, openDatabase, type Row, type Select, select } from '../../sqlite/database.ts';
import { lettersAt } from '../letters-at.ts';
import type { DeadLetter, JobQueues } from '../messaging.ts';
import { startConsumer } from './consumer.ts';
import type { JobStore, KeptJob } from './job-store.ts';

export interface SqliteJobQueuesOptions {
  readonly file: string;
  readonly now: () => Moment;
  /** The queue is looked at this often at least, because clocks may be set. */
  readonly lookAgainMs?: number;
  /** After how long a job comes again whose handler threw. */
  readonly pauseAfterErrorMs?: number;
}

const LOOK_AGAIN_MS = 1_000;
const PAUSE_AFTER_ERROR_MS = 5_000;

/**
 * `edition` counts the publications of a job, so that one that came while the job was done is not lost with it. `due` of a dead
 * job is the moment at which it died (in files of earlier versions: at which it was handed over for the last time).
 */
const schema = `
  CREATE TABLE IF NOT EXISTS jobs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    queue TEXT NOT NULL,
    id TEXT NOT NULL,
    body TEXT NOT NULL,
    edition INTEGER NOT NULL,
    due TEXT NOT NULL,
    dead TEXT,
    UNIQUE (queue, id)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS jobs_due ON jobs (queue, due, number) WHERE dead IS NULL;
`;

interface Statements {
  readonly publish: StatementSync;
  readonly due: Select;
  readonly next: Select;
  readonly count: Select;
  readonly done: StatementSync;
  readonly again: StatementSync;
  readonly dead: StatementSync;
  readonly deadOnes: Select;
  readonly discard: StatementSync;
}

/** Opens the job queues in `file`, and makes it if it is absent. Every write is synced before it is answered. */
export function openSqliteJobQueues(options: SqliteJobQueuesOptions): JobQueues {
  const { file, now, lookAgainMs = LOOK_AGAIN_MS, pauseAfterErrorMs = PAUSE_AFTER_ERROR_MS } = options;
  const connection = new Connection(file, () => open(file));
  connection.use(() => {});
  const news = new EventEmitter().setMaxListeners(0);
  const store = jobStore(connection, now);
  /** Queue → the jobs that a consumer of it has at hand. */
  const atHand = new Map<string, Set<string>>();
  const publish: JobQueues['publish'] = async (queue, jobs) => {
    if (jobs.length === 0) return;
    const due = now();
    connection.use((statements, database) =>
      inTransaction(database, () => {
        for (const { id, body } of jobs) statements.publish.run(queue, id, JSON.stringify(body), due);
      }),
    );
    news.emit(queue);
  };
  const deadLetters: JobQueues['deadLetters'] = async (queue) =>
    connection.use(({ deadOnes }) => deadOnes.all(queue).map(deadLetter));
  return {
    publish,
    deadLetters,
    replayDeadLetters: async (queue) => {
      const letters = await deadLetters(queue);
      await publish(
        queue,
        letters.map(({ job }) => job),
      );
      return letters.length;
    },
    discardDeadLetters: async (queue, places) =>
      connection.use(({ deadOnes, discard }, database) =>
        inTransaction(database, () => {
          const letters = lettersAt(places, deadOnes.all(queue).map(deadLetter));
          for (const { job } of letters) discard.run(queue, job.id);
          return letters;
        }),
      ),
    consume: (queue, consumeOptions) => {
      const taken = atHand.get(queue) ?? new Set<string>();
      atHand.set(queue, taken);
      return startConsumer({ ...consumeOptions, queue, store, taken, news, now, lookAgainMs, pauseAfterErrorMs });
    },
    ping: async () => connection.use(({ next }) => void next.get('', 1)),
    close: async () => connection.close(),
  };
}

function jobStore(connection: Connection<Statements>, now: () => Moment): JobStore {
  return {
    due: (queue, at, limit) => connection.use(({ due }) => due.all(queue, at, limit).map(keptJob)),
    next: (queue, limit) =>
      connection.use(({ next }) => next.all(queue, limit).map(([id, due]) => ({ id: String(id), due: String(due) }))),
    count: (queue) => connection.use(({ count }) => Number(count.get(queue)?.[0])),
    conclude: (queue, { id, edition }, outcome) =>
      connection.use(({ done, again, dead }) => {
        if (outcome.kind === 'done') done.run(queue, id, edition);
        else if (outcome.kind === 'again') again.run(outcome.at, queue, id, edition);
        else dead.run(outcome.reason, now(), queue, id, edition);
      }),
  };
}

function keptJob([id, body, edition]: Row): KeptJob {
  return { id: String(id), body: JSON.parse(String(body)), edition: Number(edition) };
}

function deadLetter([id, body, reason, diedAt, number, edition]: Row): DeadLetter {
  return {
    job: { id: String(id), body: JSON.parse(String(body)) },
    reason: String(reason),
    diedAt: String(diedAt),
    place: [number, edition].join('/'),
  };
}

function open(file: string): Opened<Statements> {
  const database = openDatabase({ file, synchronous: 'full', cacheMib: 2 });
  try {
    database.exec(schema);
    return { database, statements: prepare(database) };
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepare(database: DatabaseSync): Statements {
  const one = 'WHERE queue = ? AND id = ? AND edition = ?';
  return {
    publish: database.prepare(`
      INSERT INTO jobs (queue, id, body, edition, due) VALUES (?, ?, ?, 1, ?)
      ON CONFLICT (queue, id)
      DO UPDATE SET body = excluded.body, due = excluded.due, edition = edition + 1, dead = NULL`),
    due: select(
      database,
      'SELECT id, body, edition FROM jobs WHERE queue = ? AND dead IS NULL AND due <= ? ORDER BY due, number LIMIT ?',
    ),
    next: select(database, 'SELECT id, due FROM jobs WHERE queue = ? AND dead IS NULL ORDER BY due, number LIMIT ?'),
    count: select(database, 'SELECT count(*) FROM jobs WHERE queue = ? AND dead IS NULL'),
    done: database.prepare(`DELETE FROM jobs ${one}`),
    again: database.prepare(`UPDATE jobs SET due = ? ${one}`),
    dead: database.prepare(`UPDATE jobs SET dead = ?, due = ? ${one}`),
    deadOnes: select(
      database,
      `SELECT id, body, dead, due, number, edition FROM jobs
       WHERE queue = ? AND dead IS NOT NULL ORDER BY due, number`,
    ),
    discard: database.prepare('DELETE FROM jobs WHERE queue = ? AND id = ? AND dead IS NOT NULL'),
  };
}
