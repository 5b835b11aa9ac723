import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { idOf } from '#event-sourcing/aggregate.ts';
import { eventEntries } from '#projections/event-entries/event-entries.ts';
import { type FeedQuery, keyOfPosition, showsEntry } from '#queries/feed/feed.ts';
import type { FeedPoll, PollOutcome, FeedRefusal } from '#queries/query.ts';
import type { Position } from '#stores/event-log/event-log.ts';
import type { Projector } from '#read-side/projector.ts';
import type { ReadModels, StoredDocument } from '#stores/read-models/read-models.ts';
import { Counter, type Registry } from 'prom-client';
import { declareGauge } from '#service/observability/process-metrics.ts';

export interface FeedPollsOptions {
  readonly projector: Pick<Projector, 'waitFor' | 'status'>;
  readonly readModels: Pick<ReadModels, 'find'>;
  readonly log: Pick<Logger, 'warn'>;
  /** Most polls that are open at a time, of all keys. */
  readonly maxPolls: number;
}

const MAX_POLLS_OF_KEY = 8;
/** How long the loop waits for the next position before it looks whether polls still wait. */
const WAIT_MS = 1_000;
/** How long the loop pauses where the position has not moved. */
const IDLE_MS = 8;
const ENTRIES_PER_READ = 1_000;

interface Waiting {
  readonly query: FeedQuery;
  readonly after: Position;
  readonly wake: (outcome: PollOutcome) => void;
}

/**
 * Wakes polls of the feed when an event is published that they may show. One loop for all polls waits for the published
 * position, and reads the new entries.
 */
export class FeedPolls {
  readonly #options: FeedPollsOptions;
  readonly #waiting = new Set<Waiting>();
  readonly #pollsOfKeys = new Map<string, number>();
  #openPolls = 0;
  #isStopped = false;
  #isRunning = false;
  /** All entries up to this position have woken their polls; valid while the loop runs. */
  #position: Position = 0n;

  constructor(options: FeedPollsOptions) {
    this.#options = options;
  }

  get openPolls(): number {
    return this.#openPolls;
  }

  /**
   * Starts a poll of a key; undefined when too many polls are open, or the service stops. The caller must call `end`.
   */
  start(query: FeedQuery, keyId: string, timeoutMs: number, signal: AbortSignal): FeedPoll | undefined {
    const pollsOfKey = this.#pollsOfKeys.get(keyId) ?? 0;
    if (this.#isStopped || this.#openPolls >= this.#options.maxPolls || pollsOfKey >= MAX_POLLS_OF_KEY)
      return undefined;
    this.#pollsOfKeys.set(keyId, pollsOfKey + 1);
    this.#openPolls += 1;
    const timeout = Promise.withResolvers<void>();
    const timer = setTimeout(timeout.resolve, timeoutMs);
    return {
      waitAfter: async (after) => await this.#wait({ query, after }, timeout.promise, signal),
      end: () => {
        clearTimeout(timer);
        this.#openPolls -= 1;
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
    if (this.#isRunning && this.#position > after && this.#published > after) return 'woken';
    const { promise, resolve, reject } = Promise.withResolvers<PollOutcome>();
    const waiting: Waiting = { query, after, wake: resolve };
    const abort = (): void => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    this.#waiting.add(waiting);
    this.#run(after);
    try {
      return await Promise.race([promise, timeout.then((): PollOutcome => 'timed_out')]);
    } finally {
      signal.removeEventListener('abort', abort);
      this.#waiting.delete(waiting);
    }
  }

  #run(after: Position): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#position = after;
    this.#loop().catch((error: unknown) => {
      // Polls read for themselves, and answer with the reason.
      this.#options.log.warn({ err: error }, 'Entries of events cannot be read for polls of the feed');
      this.#wakeAll('woken');
    });
  }

  async #loop(): Promise<void> {
    try {
      while (this.#waiting.size > 0) {
        const position = this.#published;
        if (position > this.#position) await this.#wakeUpTo(position);
        else await this.#waitForPosition(position);
      }
    } finally {
      // Before any poll can start to wait, which then starts the loop again.
      this.#isRunning = false;
    }
  }

  async #waitForPosition(position: Position): Promise<void> {
    // Read models that are built again, or were replaced by older ones, are behind.
    this.#position = position;
    await this.#options.projector.waitFor(position + 1n, WAIT_MS);
    // A projector whose process no longer leads may not wait.
    if (this.#published === position) await pause(IDLE_MS);
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
      if (last === undefined || documents.length < ENTRIES_PER_READ || last.position >= position) break;
      after = last;
      // A poll that starts to wait now is not woken for what was read before.
      this.#position = last.position;
    }
    this.#position = position;
  }

  #wakeFor(entry: StoredDocument): void {
    for (const { query, after, wake } of this.#waiting) {
      const isOfSubject = query.subject === undefined || idOf(entry.stream) === query.subject;
      if (isOfSubject && entry.position > after && showsEntry(query.feed, entry)) wake('woken');
    }
  }

  #wakeAll(outcome: PollOutcome): void {
    for (const { wake } of this.#waiting) wake(outcome);
  }
}

export type FeedMetrics = ReturnType<typeof declareFeedMetrics>;

/** Declares the metrics of the feed; call it once per registry. */
export function declareFeedMetrics(metrics: Registry, polls: Pick<FeedPolls, 'openPolls'>) {
  declareGauge(
    metrics,
    { name: 'surety_feed_polls', help: 'Requests of the feed that wait, or read after they have waited' },
    (gauge) => gauge.set(polls.openPolls),
  );
  const served = new Counter({
    name: 'surety_feed_events_total',
    help: 'Public events in responses of the feed',
    registers: [metrics],
  });
  const refused = new Counter({
    name: 'surety_feed_refused_total',
    help: 'Pages of the feed that were refused, and polls that did not wait',
    labelNames: ['reason'],
    registers: [metrics],
  });
  return {
    countServed: (events: number): void => served.inc(events),
    countRefused: (reason: FeedRefusal): void => refused.inc({ reason }),
  };
}
