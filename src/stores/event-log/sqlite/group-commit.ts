import type { Connection } from '../../sqlite/connection.ts';
import { inTransaction } from '../../sqlite/database.ts';
import { type AppendResult, WrongExpectedRevision } from '../event-log.ts';
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

  constructor(connection: Connection<WriterStatements>, committed: AwaitablePosition, newest: NewestEvents) {
    this.#connection = connection;
    this.#committed = committed;
    this.#newest = newest;
  }

  add(request: AppendRequest): void {
    this.#queue.push(request);
    this.#schedule();
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
      const outcomes = inTransaction(database, () => {
        position = readLastPosition(statements);
        return batch.map((request) => {
          const { outcomes, written } = writeAppends(statements, request.appends, position);
          position += written;
          return outcomes;
        });
      });
      this.#newest.add(outcomes.flat().flatMap((outcome) => ('events' in outcome ? (outcome.events ?? []) : [])));
      this.#committed.moveTo(BigInt(position));
      return outcomes;
    });
  }
}

function report(request: AppendRequest, outcomes: readonly AppendOutcome[]): void {
  const results: AppendResult[] = [];
  for (const outcome of outcomes) {
    if (outcome instanceof WrongExpectedRevision) return request.reject(outcome);
    results.push(outcome);
  }
  request.resolve(results);
}
