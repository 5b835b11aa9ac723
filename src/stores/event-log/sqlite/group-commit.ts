import type { DatabaseSync } from 'node:sqlite';
import type { Connection } from '../../sqlite/connection.ts';
import { inTransaction } from '../../sqlite/database.ts';
import { type AppendResult, type CommitBatch, WrongExpectedRevision } from '../event-log.ts';
import { StoreUnavailable } from '../../shared/store-unavailable.ts';
import type { AwaitablePosition } from '../awaitable-position.ts';
import type { SerialisedAppend } from '../serialised-append.ts';
import { readLastPosition, type WriterStatements } from './log-file.ts';
import type { NewestEvents } from './newest-events.ts';
import { type AppendOutcome, writeAppends } from './write-append.ts';

const maxEvents = 1_000;
const maxSize = 4 * 1024 * 1024;

/** Appends that wait for the next commit, written in order until one is refused. */
interface AppendRequest {
  readonly appends: readonly SerialisedAppend[];
  resolve(results: readonly AppendResult[]): void;
  reject(error: Error): void;
}

interface OpenBatch {
  /** Whose transaction it is; undefined while nothing was appended since the last commit. */
  database?: DatabaseSync;
}

/**
 * Commits the appends that arrive in one turn of the event loop in one transaction, with one fsync. Each request has
 * its own outcome, which is reported after the commit. If the commit fails, all requests of the transaction fail.
 */
export class GroupCommit {
  readonly #connection: Connection<WriterStatements>;
  readonly #committed: AwaitablePosition;
  readonly #newest: NewestEvents;
  #queue: AppendRequest[] = [];
  #scheduled = false;
  #batch: OpenBatch | undefined;

  constructor(connection: Connection<WriterStatements>, committed: AwaitablePosition, newest: NewestEvents) {
    this.#connection = connection;
    this.#committed = committed;
    this.#newest = newest;
  }

  add(request: AppendRequest): void {
    if (this.#batch !== undefined) return this.#commit([request]);
    this.#queue.push(request);
    this.#schedule();
  }

  /** As `EventStore.inBatches`. */
  async inBatches<T>(work: (commit: CommitBatch) => Promise<T>): Promise<T> {
    const batch: OpenBatch = {};
    this.#batch = batch;
    try {
      return await work(async () => this.#commitBatch(batch));
    } finally {
      this.#batch = undefined;
      this.#newest.clear();
      this.#connection.use((_, database) => {
        if (database.isTransaction) database.exec('ROLLBACK');
      });
    }
  }

  #commitBatch(batch: OpenBatch): void {
    if (batch.database === undefined) return;
    this.#connection.use((statements, database) => {
      requireOpen(batch, database);
      const position = readLastPosition(statements);
      database.exec('COMMIT');
      delete batch.database;
      this.#committed.moveTo(BigInt(position));
    });
  }

  drain(): void {
    while (this.#queue.length > 0) this.#commit(this.#takeBatch());
  }

  #schedule(): void {
    if (this.#scheduled || this.#queue.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (this.#queue.length > 0) this.#commit(this.#takeBatch());
      this.#schedule();
    });
  }

  #takeBatch(): readonly AppendRequest[] {
    let count = 0;
    let events = 0;
    let size = 0;
    for (const request of this.#queue) {
      for (const append of request.appends) {
        events += append.events.length;
        size += append.size;
      }
      if (count > 0 && (events > maxEvents || size > maxSize)) break;
      count += 1;
    }
    const batch = this.#queue.slice(0, count);
    this.#queue = this.#queue.slice(count);
    return batch;
  }

  #commit(batch: readonly AppendRequest[]): void {
    let outcomes: readonly (readonly AppendOutcome[])[];
    try {
      outcomes = this.#write(batch);
    } catch (error) {
      this.#newest.clear();
      const unavailable =
        error instanceof StoreUnavailable
          ? error
          : new StoreUnavailable('The events could not be written', { cause: error, store: 'SQLite' });
      for (const request of batch) request.reject(unavailable);
      return;
    }
    batch.forEach((request, index) => report(request, outcomes[index] ?? []));
  }

  #write(batch: readonly AppendRequest[]): readonly (readonly AppendOutcome[])[] {
    return this.#connection.use((statements, database) => {
      let position = 0;
      const write = () => {
        position = readLastPosition(statements);
        return batch.map((request) => {
          const { outcomes, written } = writeAppends(statements, request.appends, position);
          position += written;
          return outcomes;
        });
      };
      const outcomes =
        this.#batch === undefined ? inTransaction(database, write) : inBatch(this.#batch, database, write);
      this.#newest.add(outcomes.flat().flatMap((outcome) => ('events' in outcome ? (outcome.events ?? []) : [])));
      if (this.#batch === undefined) this.#committed.moveTo(BigInt(position));
      return outcomes;
    });
  }
}

/** Runs `action` in the transaction of the batch, and begins it if it is not open. */
function inBatch<T>(batch: OpenBatch, database: DatabaseSync, action: () => T): T {
  if (batch.database === undefined) database.exec('BEGIN IMMEDIATE');
  batch.database ??= database;
  requireOpen(batch, database);
  return action();
}

/** An error of SQLite ends the transaction with its connection. @throws {StoreUnavailable} */
function requireOpen(batch: OpenBatch, database: DatabaseSync): void {
  if (batch.database === database && database.isTransaction) return;
  throw new StoreUnavailable('The events of a batch could not be written', { store: 'SQLite' });
}

function report(request: AppendRequest, outcomes: readonly AppendOutcome[]): void {
  const results: AppendResult[] = [];
  for (const outcome of outcomes) {
    if (outcome instanceof WrongExpectedRevision) return request.reject(outcome);
    results.push(outcome);
  }
  request.resolve(results);
}
