import { setTimeout as pause } from 'node:timers/promises';
import { jsonEvent, WrongExpectedVersionError, type JSONEventData, type JSONType } from '@eventstore/db-client';
import { WrongExpectedRevision, type AppendResult, type ExpectedRevision } from '../event-log.ts';
import { StoreUnavailable } from '../../shared/store-unavailable.ts';
import type { SerialisedAppend } from '../serialised-append.ts';
import type { Connection } from './connection.ts';
import { Deadline } from './deadline.ts';
import { definiteError, unavailable } from './errors.ts';
import type { EventReader } from './reader.ts';

interface AppendLimits {
  readonly attemptTimeoutMs: number;
  /** Time limit of an append with all its attempts and the reads that check them. */
  readonly appendTimeoutMs: number;
}

const firstPauseMs = 50;
const longestPauseMs = 500;
const shortestAttemptMs = 50;
/**
 * The client ends the call this long after its time limit, so that an earlier `DeadlineExceededError` is an answer of
 * the server.
 */
const cancelAfterMs = 50;

/** An append. Its content never changes, however often it is sent. */
interface AppendRequest {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly from: number;
  readonly events: JSONEventData[];
}

/** Result of one attempt. `unknown`: the events were written, will be written, or never arrived. */
type AttemptResult =
  | { readonly kind: 'written'; readonly revision: number; readonly position: bigint | undefined }
  | { readonly kind: 'wrong_revision'; readonly actual: number | undefined }
  | { readonly kind: 'unknown'; readonly cause: unknown };

/** Content of the stream at the revisions of the append. `unknown`: the stream could not be read. */
type StreamCheck =
  | { readonly kind: 'written'; readonly result: AppendResult }
  | { readonly kind: 'conflict'; readonly actual: number | undefined }
  | { readonly kind: 'missing' | 'unknown' };

/** Appends with one call `Append` each, never with `BatchAppend` (docs/decisions/0004). */
export class Appender {
  readonly #connection: Connection;
  readonly #reader: EventReader;
  readonly #limits: AppendLimits;

  constructor(connection: Connection, reader: EventReader, limits: AppendLimits) {
    this.#connection = connection;
    this.#reader = reader;
    this.#limits = limits;
  }

  /**
   * Appends events. After an attempt with unknown result it reads the stream: if the events are missing, it sends them
   * again with the same ids at the same revision, which the server writes at most once.
   * @throws {WrongExpectedRevision}
   * @throws {StoreUnavailable} when the result stays unknown
   * @throws {StreamTombstoned}
   */
  async append({ stream, expected, events }: SerialisedAppend): Promise<AppendResult> {
    const from = expected === 'no_stream' ? 0 : expected + 1;
    const request: AppendRequest = { stream, expected, from, events: events.map(toEvent) };
    const deadline = new Deadline(this.#limits.appendTimeoutMs);
    for (let waitMs = firstPauseMs; ; waitMs = Math.min(waitMs * 2, longestPauseMs)) {
      const attempt = await this.#attempt(request, deadline);
      if (attempt.kind === 'written') return await this.#resultOf(request, attempt, deadline);
      const check = await this.#checkStream(request, attempt, deadline);
      if (check.kind === 'written') return check.result;
      if (check.kind === 'conflict') throw new WrongExpectedRevision(stream, expected, check.actual);
      if (deadline.remainingMs < waitMs + shortestAttemptMs) {
        if (attempt.kind === 'wrong_revision') throw new WrongExpectedRevision(stream, expected, attempt.actual);
        throw unavailable(`Whether EventStoreDB has written to ${stream} is unknown`, attempt.cause);
      }
      await pause(waitMs);
    }
  }

  /** Leaves a third of the time for reading the stream when there is no response. */
  async #attempt({ stream, expected, events }: AppendRequest, deadline: Deadline): Promise<AttemptResult> {
    const limit = new Deadline(Math.min(this.#limits.attemptTimeoutMs, (deadline.remainingMs * 2) / 3));
    try {
      const { nextExpectedRevision, position } = await this.#connection.call(limit, () =>
        limit.limit(
          this.#connection.client.appendToStream(stream, events, {
            expectedRevision: expected === 'no_stream' ? expected : BigInt(expected),
            requiresLeader: true,
            deadline: limit.remainingMs + cancelAfterMs,
          }),
        ),
      );
      return { kind: 'written', revision: Number(nextExpectedRevision), position: position?.commit };
    } catch (error) {
      if (error instanceof WrongExpectedVersionError) {
        const { actualVersion } = error;
        return {
          kind: 'wrong_revision',
          actual: typeof actualVersion === 'bigint' ? Number(actualVersion) : undefined,
        };
      }
      const definite = definiteError(error, stream);
      if (definite !== undefined) throw definite;
      return { kind: 'unknown', cause: error };
    }
  }

  /** Reads the position if the response lacks it, as it may for events that were written before. */
  async #resultOf(
    { stream }: AppendRequest,
    { revision, position }: AttemptResult & { kind: 'written' },
    deadline: Deadline,
  ): Promise<AppendResult> {
    if (position !== undefined) return { revision, position };
    const [last] = await deadline.limit(this.#reader.stream(stream, revision, 1));
    if (last === undefined)
      throw unavailable(`EventStoreDB does not return the event that it has written to ${stream}`);
    return { revision, position: last.position };
  }

  async #checkStream(
    request: AppendRequest,
    attempt: Exclude<AttemptResult, { kind: 'written' }>,
    deadline: Deadline,
  ): Promise<StreamCheck> {
    try {
      return attempt.kind === 'unknown'
        ? await this.#findEvents(request, deadline)
        : await this.#confirmConflict(request.stream, attempt.actual, deadline);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      return { kind: 'unknown' };
    }
  }

  /**
   * Waits until the conflicting revision can be read, because the caller reads it next. The server also refuses an
   * append because of a write in flight, which cannot be read yet and may fail.
   * @throws {StoreUnavailable}
   */
  async #confirmConflict(stream: string, actual: number | undefined, deadline: Deadline): Promise<StreamCheck> {
    if (actual !== undefined && !(await this.#becomesReadable(stream, actual, deadline))) return { kind: 'unknown' };
    return { kind: 'conflict', actual };
  }

  async #becomesReadable(stream: string, revision: number, deadline: Deadline): Promise<boolean> {
    for (let waitMs = 1; waitMs <= longestPauseMs && waitMs < deadline.remainingMs; waitMs *= 2) {
      const last = await deadline.limit(this.#reader.last(stream));
      if ((last?.revision ?? -1) >= revision) return true;
      await pause(waitMs);
    }
    return false;
  }

  async #findEvents({ stream, from, events }: AppendRequest, deadline: Deadline): Promise<StreamCheck> {
    const stored = await deadline.limit(this.#reader.stream(stream, from, events.length));
    const last = stored.at(-1);
    if (last === undefined) return { kind: 'missing' };
    const areSame = stored.every(({ id, revision }, index) => id === events[index]?.id && revision === from + index);
    if (areSame && stored.length < events.length) return { kind: 'missing' };
    if (areSame) return { kind: 'written', result: { revision: last.revision, position: last.position } };
    const newest = await deadline.limit(this.#reader.last(stream));
    return { kind: 'conflict', actual: newest?.revision ?? last.revision };
  }
}

/** The client serialises the data when it sends them, so they are parsed again from the serialised append. */
function toEvent({ id, type, data, metadata }: SerialisedAppend['events'][number]): JSONEventData {
  return jsonEvent({ id, type, data: JSON.parse(data) as JSONType, metadata: Buffer.from(metadata) });
}
