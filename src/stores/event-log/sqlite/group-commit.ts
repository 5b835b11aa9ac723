import type { Connection } from '../../sqlite/connection.ts';
import { inTransaction } from '../../sqlite/database.ts';
import { type AppendResult, type Position, type StoredEvent, WrongExpectedRevision } from '../event-log.ts';
import { StoreUnavailable } from '../../shared/store-unavailable.ts';
import type { AwaitablePosition } from '../awaitable-position.ts';
import type { SerialisedAppend } from '../serialised-append.ts';
import { readLastPosition, type WriterStatements } from './log-file.ts';
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
 * Commits the appends that arrive in one turn of the event loop in one transaction, with one fsync. Each request has its own outcome,
 * which is reported after the commit. If the commit fails, all requests of the transaction fail.
 */
export class GroupCommit {
  readonly #connection: Connection<WriterStatements>;
  readonly #committed: AwaitablePosition;
  #queue: AppendRequest[] = [];
  #scheduled = false;
  /** The events of the last commit. */
  #newest: readonly StoredEvent[] = [];

  constructor(connection: Connection<WriterStatements>, committed: AwaitablePosition) {
    this.#connection = connection;
    this.#committed = committed;
  }

  add(request: AppendRequest): void {
    this.#queue.push(request);
    this.#schedule();
  }

  /** Returns the events after a position if they are those of the last commit, so that no subscription reads and decodes them again. */
  eventsAfter(position: Position, limit: number): readonly StoredEvent[] | undefined {
    const [first] = this.#newest;
    if (first === undefined || first.position > position + 1n) return undefined;
    // A commit that was reported as failed may have been written.
    if (this.#newest.at(-1)?.position !== this.#committed.position) return undefined;
    const from = Number(position + 1n - first.position);
    return this.#newest.slice(from, from + limit);
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
      this.#newest = outcomes.flat().flatMap((outcome) => ('events' in outcome ? (outcome.events ?? []) : []));
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
