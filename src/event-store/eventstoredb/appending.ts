import { setTimeout as pause } from 'node:timers/promises';

import type { AppendResp } from '@eventstore/db-client/generated/streams_pb.js';

import { StoreUnavailable, WrongExpectedRevision } from '../event-store.ts';
import type { AppendResult, EventToAppend, ExpectedRevision } from '../event-store.ts';
import type { Calls } from './calls.ts';
import { definiteError, unavailable } from './errors.ts';
import type { Reader } from './reading.ts';
import { appendRequest } from './requests.ts';
import type { AppendRequest } from './requests.ts';
import { Deadline } from './time-limit.ts';

export interface AppendLimits {
  /** For one try; a server that does nothing never ends it. */
  readonly tryLimitMs: number;
  /** For an append with all its tries, and all that is read to judge them. */
  readonly appendTimeoutMs: number;
}

const firstPauseMs = 50;
const longestPauseMs = 500;
/** With less left, no further try is worth its while. */
const shortestTryMs = 50;

/** How one try ended. `unclear`: the events may have been written, may be written yet, or never arrived. */
type Ending =
  | { readonly kind: 'written'; readonly revision: number; readonly position: bigint | undefined }
  | { readonly kind: 'refused'; readonly actual: number | undefined }
  | { readonly kind: 'unclear'; readonly cause: unknown };

/** What stands where the events would stand. `unknown`: the stream could not be read. */
type Finding =
  | { readonly kind: 'own'; readonly result: AppendResult }
  | { readonly kind: 'others'; readonly actual: number | undefined }
  | { readonly kind: 'nothing' | 'unknown' };

/** Appends by the call `Append`, one for each, never by `BatchAppend` (docs/decisions/0004). */
export class Appender {
  readonly #calls: Calls;
  readonly #reader: Reader;
  readonly #limits: AppendLimits;

  constructor(calls: Calls, reader: Reader, limits: AppendLimits) {
    this.#calls = calls;
    this.#reader = reader;
    this.#limits = limits;
  }

  /**
   * After an unclear end the stream decides: what stands there is answered, what does not is sent again, with the same ids
   * at the same revision, which the server writes at most once.
   * @throws {WrongExpectedRevision} @throws {StoreUnavailable} when it stays unclear
   * @throws {TypeError} when it is no JSON or too large @throws {StreamTombstoned}
   */
  async append(stream: string, expected: ExpectedRevision, events: readonly EventToAppend[]): Promise<AppendResult> {
    const request = appendRequest(stream, expected, events);
    const deadline = new Deadline(this.#limits.appendTimeoutMs);
    for (let waitMs = firstPauseMs; ; waitMs = Math.min(waitMs * 2, longestPauseMs)) {
      const ending = await this.#try(request, deadline);
      if (ending.kind === 'written') return await this.#answer(request, ending, deadline);
      const finding = await this.#examine(request, ending, deadline);
      if (finding.kind === 'own') return finding.result;
      if (finding.kind === 'others') throw new WrongExpectedRevision(stream, expected, finding.actual);
      if (deadline.leftMs < waitMs + shortestTryMs) {
        if (ending.kind === 'refused') throw new WrongExpectedRevision(stream, expected, ending.actual);
        throw unavailable(`Whether EventStoreDB has written to ${stream} is unknown`, ending.cause);
      }
      await pause(waitMs);
    }
  }

  /** Leaves a third of the time, so that the stream can be read when there is no answer. */
  async #try({ stream, messages }: AppendRequest, deadline: Deadline): Promise<Ending> {
    const limitMs = Math.min(this.#limits.tryLimitMs, (deadline.leftMs * 2) / 3);
    try {
      return endingOf(await this.#calls.append(messages, limitMs));
    } catch (error) {
      const definite = definiteError(error, stream);
      if (definite !== undefined) throw definite;
      return { kind: 'unclear', cause: error };
    }
  }

  /** The answer to events that were known already may lack their position. */
  async #answer(
    { stream }: AppendRequest,
    { revision, position }: Ending & { kind: 'written' },
    deadline: Deadline,
  ): Promise<AppendResult> {
    if (position !== undefined) return { revision, position };
    const [last] = await deadline.bound(this.#reader.stream(stream, revision, 1));
    if (last === undefined) throw unavailable(`EventStoreDB does not show what it has written to ${stream}`);
    return { revision, position: last.position };
  }

  async #examine(
    request: AppendRequest,
    ending: Exclude<Ending, { kind: 'written' }>,
    deadline: Deadline,
  ): Promise<Finding> {
    try {
      return ending.kind === 'unclear'
        ? await this.#look(request, deadline)
        : await this.#judge(request.stream, ending.actual, deadline);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      return { kind: 'unknown' };
    }
  }

  /**
   * Events that are known are not refused, so these are not. But the server refuses by what is being written just now, too, which
   * cannot be read yet, and may never come to be. Who is refused reads next what was there first, so it is waited for.
   * @throws {StoreUnavailable}
   */
  async #judge(stream: string, actual: number | undefined, deadline: Deadline): Promise<Finding> {
    if (actual !== undefined && !(await this.#shows(stream, actual, deadline))) return { kind: 'unknown' };
    return { kind: 'others', actual };
  }

  /** Whether a revision can be read, within a moment. @throws {StoreUnavailable} */
  async #shows(stream: string, revision: number, deadline: Deadline): Promise<boolean> {
    for (let waitMs = 1; waitMs <= longestPauseMs && waitMs < deadline.leftMs; waitMs *= 2) {
      const last = await deadline.bound(this.#reader.last(stream));
      if ((last?.revision ?? -1) >= revision) return true;
      await pause(waitMs);
    }
    return false;
  }

  /** @throws {StoreUnavailable} */
  async #look({ stream, from, ids }: AppendRequest, deadline: Deadline): Promise<Finding> {
    const stored = await deadline.bound(this.#reader.stream(stream, from, ids.length));
    const last = stored.at(-1);
    if (last === undefined) return { kind: 'nothing' };
    const known = stored.every(({ id, revision }, index) => id === ids[index] && revision === from + index);
    if (known && stored.length < ids.length) return { kind: 'nothing' };
    if (known) return { kind: 'own', result: { revision: last.revision, position: last.position } };
    const tip = await deadline.bound(this.#reader.last(stream));
    return { kind: 'others', actual: tip?.revision ?? last.revision };
  }
}

function endingOf(answer: AppendResp): Ending {
  const wrong = answer.getWrongExpectedVersion();
  if (wrong !== undefined) {
    return { kind: 'refused', actual: wrong.hasCurrentRevision() ? Number(wrong.getCurrentRevision()) : undefined };
  }
  const success = answer.getSuccess();
  if (success === undefined)
    return { kind: 'unclear', cause: new Error('EventStoreDB did not say how an append ended') };
  const place = success.getPosition();
  return {
    kind: 'written',
    revision: Number(success.getCurrentRevision()),
    position: place === undefined ? undefined : BigInt(place.getCommitPosition()),
  };
}
