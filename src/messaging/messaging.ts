import type { Moment } from '../domain/dates.ts';

/** Something that is to be done. It names what it is about by ids alone; whoever does it looks up the rest. */
export interface Job {
  /** The same id is the same job, however often it is published. */
  readonly id: string;
  /** Plain JSON. Whatever comes out of a queue goes through a schema before anything is read from it. */
  readonly body: unknown;
}

/** How a handler ends. */
export type JobOutcome =
  /** The job leaves the queue. */
  | { readonly kind: 'done' }
  /** It is to be handed over again, not before `at`. */
  | { readonly kind: 'again'; readonly at: Moment }
  /** Nobody can do it by itself: it leaves the queue and lies among the dead letters, with the reason. */
  | { readonly kind: 'dead'; readonly reason: string };

export interface ConsumeOptions {
  /** Must bear to be given the same job more than once. What it throws means: again, after a pause. */
  readonly handle: (job: Job, signal: AbortSignal) => Promise<JobOutcome>;
  /** How many jobs are handed over at the same time. */
  readonly concurrency: number;
}

/** One consumer of a queue. It begins again by itself, from what is stored, whenever the store fails. */
export interface JobConsumer {
  /** Why it does not hand over jobs at the moment; undefined when it does. */
  readonly check: () => string | undefined;
  /** How many jobs that fall to it are not at their end, as far as it has read the queue; undefined when the store does not answer. */
  readonly open: () => number | undefined;
  /**
   * For how many milliseconds the job has been due that falls to it next and is not handed over yet, as far as it has read the
   * queue; 0 when none is due; undefined when the store does not answer. Costs nothing for jobs that wait.
   */
  readonly overdueMs: () => number | undefined;
  /** Takes no more jobs, aborts the signal of those at hand, and resolves when they have ended. */
  readonly stop: () => Promise<void>;
}

/** A job that nobody can do by itself, with the reason. */
export interface DeadLetter {
  readonly job: Job;
  readonly reason: string;
  /** Undefined when whoever wrote the letter did not say. */
  readonly diedAt: Moment | undefined;
  /**
   * Where it lies: on Kafka `partition/offset` in the topic of dead letters, on SQLite `number/edition` of the job. When the
   * job dies again that letter lies somewhere else, so a place names one letter for good.
   */
  readonly place: string;
}

/** There is no dead letter at some of the places that were given. */
export class NoSuchLetters extends Error {
  override readonly name = 'NoSuchLetters';
  readonly places: readonly string[];
  constructor(places: readonly string[]) {
    super(`No dead letter lies at ${places.join(', ')}`);
    this.places = places;
  }
}

/**
 * Queues of jobs, each with a name (`surety.jobs.mail.v1`).
 *
 * Guarantees, checked by `test/ports/messaging.suite.ts` for every adapter:
 * - a job that was published is durable, and handed to a consumer at least once until its handler has said `done` or `dead`,
 *   whoever is killed when;
 * - publishing an id that waits already makes it due now and adds no second job; one that was done, or is dead, comes again;
 * - a job that is published while its handler runs is handed over once more;
 * - a dead job lies among the dead letters until these are replayed, or its letter is discarded;
 * - several consumers of one queue share its jobs.
 * Not guaranteed: order, and that a job comes only once. An adapter on a log of messages (Kafka) may keep what is to come again
 * by publishing it anew before it lets go of the old message, and wait with it where it is consumed; it may list a dead job that
 * was published again since, and hand a job over for each of two publications when they reach it apart.
 */
export interface JobQueues {
  /** @throws {StoreUnavailable} when it is not known whether the jobs are there; publishing them again is safe */
  publish(queue: string, jobs: readonly Job[]): Promise<void>;
  consume(queue: string, options: ConsumeOptions): JobConsumer;
  /**
   * The dead letters that were neither replayed nor discarded, those first that died first, each job once as it died last.
   * @throws {StoreUnavailable}
   */
  deadLetters(queue: string): Promise<readonly DeadLetter[]>;
  /**
   * Publishes every dead letter anew; resolves with how many there were. Two calls at once, in two processes, may both publish
   * a letter, and one that is discarded at the same time: Kafka has no cheap lease for it, and whoever handles a job bears that.
   * @throws {StoreUnavailable} do it again: repeats are safe
   */
  replayDeadLetters(queue: string): Promise<number>;
  /**
   * Throws away the letters that lie at these places, for good; resolves with them. A job whose letter is gone comes again only
   * when it is published.
   * @throws {NoSuchLetters} when there is none at some of the places; then this call discarded none
   * @throws {StoreUnavailable} some may be gone: list them again, and discard what is left
   */
  discardDeadLetters(queue: string, places: readonly string[]): Promise<readonly DeadLetter[]>;
  /** Resolves when the store answers. @throws {StoreUnavailable} */
  ping(): Promise<void>;
  /** Stop the consumers before. */
  close(): Promise<void>;
}
