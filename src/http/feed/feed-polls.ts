import { idOf } from '../../event-sourcing/aggregate.ts';
import { eventEntries } from '../../../projections/event-entries/event-entries.ts';
import { keyOfPosition } from '../../../queries/feed/feed.ts';
import type { FeedQuery } from '../../../queries/feed/read-events.ts';
import type { FeedPoll, PollOutcome } from '../../../queries/query.ts';
import type { Position } from '../../event-store/event-store.ts';
import type { Projector } from '../../projector/projector.ts';
import type { ReadModels, StoredDocument } from '../../read-models/read-models.ts';

export interface FeedPollsOptions {
  readonly projector: Pick<Projector, 'waitFor' | 'status'>;
  readonly readModels: Pick<ReadModels, 'find'>;
  /** Most polls that wait at a time, of all keys. */
  readonly maxPolls: number;
}

const MAX_POLLS_OF_KEY = 8;
/** How long the loop waits for the next position before it looks whether polls still wait. */
const WAIT_MS = 1_000;
const ENTRIES_PER_READ = 1_000;

interface Waiting {
  readonly query: Pick<FeedQuery, 'feed' | 'subject'>;
  readonly after: Position;
  readonly wake: (outcome: PollOutcome) => void;
}

/**
 * Wakes polls of the feed when an entry comes that they may show. One loop for all polls waits for the published position, and reads each
 * new entry once.
 */
export class FeedPolls {
  readonly #options: FeedPollsOptions;
  readonly #waiting = new Set<Waiting>();
  readonly #pollsOfKeys = new Map<string, number>();
  #count = 0;
  #isStopped = false;
  #isRunning = false;
  /** All entries up to this position have woken their polls; valid while the loop runs. */
  #position: Position = 0n;

  constructor(options: FeedPollsOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#count;
  }

  /** Starts a poll of a key; undefined when too many polls wait, or the service stops. End it. */
  start(query: Waiting['query'], keyId: string, timeoutMs: number, signal: AbortSignal): FeedPoll | undefined {
    const ofKey = this.#pollsOfKeys.get(keyId) ?? 0;
    if (this.#isStopped || this.#count >= this.#options.maxPolls || ofKey >= MAX_POLLS_OF_KEY) return undefined;
    this.#pollsOfKeys.set(keyId, ofKey + 1);
    this.#count += 1;
    const timeout = Promise.withResolvers<void>();
    const timer = setTimeout(timeout.resolve, timeoutMs);
    return {
      waitAfter: async (after) => await this.#wait({ query, after }, timeout.promise, signal),
      end: () => {
        clearTimeout(timer);
        this.#count -= 1;
        const left = (this.#pollsOfKeys.get(keyId) ?? 1) - 1;
        if (left === 0) this.#pollsOfKeys.delete(keyId);
        else this.#pollsOfKeys.set(keyId, left);
      },
    };
  }

  /** Ends all polls, and starts no more. */
  stop(): void {
    this.#isStopped = true;
    this.#wakeAll('stopped');
  }

  async #wait(
    { query, after }: Pick<Waiting, 'query' | 'after'>,
    timeout: Promise<void>,
    signal: AbortSignal,
  ): Promise<PollOutcome> {
    if (this.#isStopped) return 'stopped';
    signal.throwIfAborted();
    // The published position is lower than the one of the loop while read models are built again.
    if (this.#isRunning && this.#position > after && this.#published > after) return 'entries';
    const { promise, resolve, reject } = Promise.withResolvers<PollOutcome>();
    const waiting: Waiting = { query, after, wake: resolve };
    const abort = (): void => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    this.#waiting.add(waiting);
    this.#run(after);
    try {
      return await Promise.race([promise, timeout.then((): PollOutcome => 'ended')]);
    } finally {
      signal.removeEventListener('abort', abort);
      this.#waiting.delete(waiting);
    }
  }

  #run(after: Position): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#position = after;
    // Polls read for themselves why entries cannot be read.
    this.#loop().catch(() => this.#wakeAll('entries'));
  }

  async #loop(): Promise<void> {
    try {
      while (this.#waiting.size > 0) {
        const position = this.#published;
        if (position > this.#position) await this.#wakeUpTo(position);
        else await this.#options.projector.waitFor(this.#position + 1n, WAIT_MS);
      }
    } finally {
      // Before any poll can start to wait, which then starts the loop again.
      this.#isRunning = false;
    }
  }

  get #published(): Position {
    return this.#options.projector.status().position ?? 0n;
  }

  async #wakeUpTo(position: Position): Promise<void> {
    const { readModels } = this.#options;
    for (let after = keyOfPosition(this.#position); ; ) {
      const query = { after, skipCount: true, limit: ENTRIES_PER_READ, offset: 0 };
      const { documents } = await readModels.find(eventEntries.name, query);
      for (const entry of documents) if (entry.position <= position) this.#wakeFor(entry);
      const last = documents.at(-1);
      if (last === undefined || documents.length < ENTRIES_PER_READ || last.position > position) break;
      after = last;
    }
    this.#position = position;
  }

  #wakeFor({ indexes, stream, position }: StoredDocument): void {
    for (const { query, after, wake } of this.#waiting) {
      const { feed, subject } = query;
      const isShown = feed.values.includes(String(indexes[feed.index]));
      if (isShown && position > after && (subject === undefined || idOf(stream) === subject)) wake('entries');
    }
  }

  #wakeAll(outcome: PollOutcome): void {
    for (const { wake } of this.#waiting) wake(outcome);
  }
}
