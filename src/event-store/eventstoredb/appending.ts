import { setTimeout as pause } from 'node:timers/promises';

import type { AppendResp } from '@eventstore/db-client/generated/streams_pb.js';

import { StoreUnavailable, WrongExpectedRevision } from '../event-store.ts';
import type { AppendResult, EventToAppend, ExpectedRevision } from '../event-store.ts';
import type { Calls } from './calls.ts';
import { definiteError, unavailable } from './errors.ts';
import type { Reader } from './reading.ts';
import { appendRequest } from './requests.ts';
import type { AppendRequest } from './requests.ts';

/** Milliseconds. */
export interface AppendLimits {
  /** For one try; a server that does nothing never ends it. */
  readonly timeLimit: number;
  /** No further try begins when an append has taken so long. */
  readonly patience: number;
}

const firstPause = 50;
const longestPause = 500;

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

/** Appends by the call `Append`, one for each, never by `BatchAppend` (docs/decisions/an-append-is-a-call-of-its-own.md). */
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
    const began = performance.now();
    for (let wait = firstPause; ; wait = Math.min(wait * 2, longestPause)) {
      const ending = await this.#try(request);
      if (ending.kind === 'written') return await this.#answer(request, ending);
      const finding = await this.#examine(request, ending);
      if (finding.kind === 'own') return finding.result;
      if (finding.kind === 'others') throw new WrongExpectedRevision(stream, expected, finding.actual);
      if (performance.now() - began + wait > this.#limits.patience) {
        if (ending.kind === 'refused') throw new WrongExpectedRevision(stream, expected, ending.actual);
        throw unavailable(`Whether EventStoreDB has written to ${stream} is unknown`, ending.cause);
      }
      await pause(wait);
    }
  }

  async #try({ stream, messages }: AppendRequest): Promise<Ending> {
    try {
      return endingOf(await this.#calls.append(messages, this.#limits.timeLimit));
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
  ): Promise<AppendResult> {
    if (position !== undefined) return { revision, position };
    const [last] = await this.#reader.stream(stream, revision, 1);
    if (last === undefined) throw unavailable(`EventStoreDB does not show what it has written to ${stream}`);
    return { revision, position: last.position };
  }

  /**
   * The server refuses by what is being written just now, too, which cannot be read yet, and may never come to be. Who is
   * refused reads next what was there first, so it is waited for.
   */
  async #examine(request: AppendRequest, ending: Exclude<Ending, { kind: 'written' }>): Promise<Finding> {
    if (ending.kind === 'unclear') return await this.#look(request);
    const { actual } = ending;
    if (actual !== undefined && !(await this.#shows(request.stream, actual))) return { kind: 'unknown' };
    // A stream that ends before the last event of the request cannot hold them.
    const mayStand = actual !== undefined && actual >= request.from + request.ids.length - 1;
    const finding: Finding = mayStand ? await this.#look(request) : { kind: 'nothing' };
    return finding.kind === 'own' ? finding : { kind: 'others', actual };
  }

  /** Whether a revision can be read, within a moment. */
  async #shows(stream: string, revision: number): Promise<boolean> {
    for (let wait = 1; wait <= longestPause; wait *= 2) {
      try {
        const last = await this.#reader.last(stream);
        if ((last?.revision ?? -1) >= revision) return true;
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        return false;
      }
      await pause(wait);
    }
    return false;
  }

  async #look({ stream, from, ids }: AppendRequest): Promise<Finding> {
    try {
      const stored = await this.#reader.stream(stream, from, ids.length);
      const last = stored.at(-1);
      if (last === undefined) return { kind: 'nothing' };
      const known = stored.every(({ id, revision }, index) => id === ids[index] && revision === from + index);
      if (known && stored.length < ids.length) return { kind: 'nothing' };
      if (known) return { kind: 'own', result: { revision: last.revision, position: last.position } };
      const tip = await this.#reader.last(stream);
      return { kind: 'others', actual: tip?.revision ?? last.revision };
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      return { kind: 'unknown' };
    }
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
