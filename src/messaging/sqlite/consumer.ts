import type { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type Moment, momentAfter } from '../../domain/dates.ts';
import type { ConsumeOptions, JobConsumer, JobOutcome } from '../messaging.ts';
import type { JobStore, KeptJob } from './job-store.ts';

export interface ConsumerOptions extends ConsumeOptions {
  readonly queue: string;
  readonly store: JobStore;
  /** Ids that a consumer of this queue has at hand; shared by all of them, so that none is handed over twice at once. */
  readonly taken: Set<string>;
  /** Says the name of a queue when a job was published to it. */
  readonly news: EventEmitter;
  readonly now: () => Moment;
  readonly lookAgainMs: number;
  readonly pauseAfterErrorMs: number;
}

/** Hands over what is due, as soon as it is, until it is stopped. */
export function startConsumer(options: ConsumerOptions): JobConsumer {
  const { queue, store, taken, news, now, lookAgainMs, pauseAfterErrorMs, concurrency, handle } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Set<Promise<void>>();
  /** The store could not be read when it was looked at last. */
  let unread = false;
  /** Jobs that have ended, and the store does not know it yet. */
  const unconcluded = new Set<KeptJob>();
  /** Something happened since the last look: a job was published, or one at hand ended. */
  let look = Promise.withResolvers<void>();
  const lookAgain = (): void => look.resolve();

  const outcomeOf = async (job: KeptJob): Promise<JobOutcome> => {
    try {
      return await handle({ id: job.id, body: job.body }, signal);
    } catch {
      // The handler tells its own log why; here it only matters that the job is not lost.
      return { kind: 'again', at: momentAfter(now(), pauseAfterErrorMs) };
    }
  };
  /** How a job ended is kept until the store takes it: done again, the job would come back without rest from a full disk. */
  const conclude = async (job: KeptJob, outcome: JobOutcome): Promise<void> => {
    for (;;) {
      try {
        store.conclude(queue, job, outcome);
        unconcluded.delete(job);
        return;
      } catch {
        unconcluded.add(job);
        await pause(lookAgainMs, undefined, { signal }).catch(() => undefined);
        if (signal.aborted) return;
      }
    }
  };
  const run = async (job: KeptJob): Promise<void> => {
    try {
      await conclude(job, await outcomeOf(job));
    } finally {
      taken.delete(job.id);
      // Another consumer may have passed it over while it was taken here.
      news.emit(queue);
    }
  };
  const take = (): void => {
    const free = concurrency - running.size;
    if (free <= 0) return;
    const due = store.due(queue, now(), free + taken.size).filter(({ id }) => !taken.has(id));
    for (const job of due.slice(0, free)) {
      taken.add(job.id);
      const work: Promise<void> = run(job).finally(() => {
        running.delete(work);
        lookAgain();
      });
      running.add(work);
    }
  };
  /** The job that is handed over next, whether it is due or not. */
  const nextFree = (): { readonly due: Moment } | undefined =>
    store.next(queue, taken.size + 1).find(({ id }) => !taken.has(id));
  /** Milliseconds until it is worth looking without news; undefined: only when a job at hand has ended. */
  const untilNextLook = (): number | undefined => {
    if (running.size >= concurrency) return undefined;
    const next = nextFree();
    // Also without a next one: whoever publishes may have opened the file for itself.
    if (next === undefined) return lookAgainMs;
    return Math.min(Math.max(Date.parse(next.due) - Date.parse(now()), 1), lookAgainMs);
  };
  const consume = async (): Promise<void> => {
    while (!signal.aborted) {
      look = Promise.withResolvers();
      let wait: number | undefined;
      try {
        take();
        wait = untilNextLook();
        unread = false;
      } catch {
        unread = true;
        wait = lookAgainMs;
      }
      const timer = wait === undefined ? undefined : setTimeout(lookAgain, wait);
      await look.promise;
      clearTimeout(timer);
    }
  };

  const onNews = (): void => lookAgain();
  news.on(queue, onNews);
  signal.addEventListener('abort', onNews);
  const consuming = consume();
  return {
    check: () => (unread || unconcluded.size > 0 ? 'the job store fails; it is tried again' : undefined),
    open: () => told(() => store.count(queue)),
    overdueMs: () =>
      told(() => {
        const next = nextFree();
        return next === undefined ? 0 : Math.max(0, Date.parse(now()) - Date.parse(next.due));
      }),
    stop: async () => {
      stopping.abort();
      news.off(queue, onNews);
      await consuming;
      await Promise.all(running);
    },
  };
}

/** Undefined when the store does not answer. */
function told(read: () => number): number | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
