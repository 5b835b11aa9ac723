import { type Moment, momentAfter } from '../../domain/dates.ts';
import type { ConsumeOptions, JobOutcome } from '../messaging.ts';
import { reasonOf } from './client.ts';
import { idOf, type JobRecord } from './job-record.ts';
import { type OpenJob, OpenJobs } from './open-jobs.ts';

export interface HandOverOptions extends ConsumeOptions {
  readonly now: () => Moment;
  /** Due jobs are looked for this often at least, because clocks may be set. */
  readonly lookAgainMs: number;
  readonly pauseAfterErrorMs: number;
  /** Writes down how a job of a partition ended. @throws {StoreUnavailable} */
  readonly conclude: (job: OpenJob, outcome: JobOutcome, partition: number) => Promise<void>;
}

interface Partition {
  readonly jobs: OpenJobs;
  readonly assigned: boolean;
  /** Whether everything that was there at the assignment was read; before, an end may stand behind a beginning. */
  readonly level: boolean;
}

/** Hands over what is due in the partitions of one consumer, as soon as it is, until it is stopped. */
export class HandOver {
  readonly #options: HandOverOptions;
  readonly #stopping = new AbortController();
  readonly #partitions = new Map<number, Partition>();
  /** Job id → the work on it here. */
  readonly #running = new Map<string, Promise<void>>();
  /** Job id → why its end could not be written down when that was tried last. */
  readonly #unconcluded = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: HandOverOptions) {
    this.#options = options;
  }

  /**
   * What is known of a partition that went to somebody else is kept, because a batch that was fetched before may still come;
   * it is handed over no more.
   */
  assign(partitions: readonly number[]): void {
    this.#unconcluded.clear();
    for (const number of new Set([...this.#partitions.keys(), ...partitions])) {
      const jobs = this.#partitions.get(number)?.jobs ?? new OpenJobs();
      jobs.resume();
      this.#partitions.set(number, { jobs, assigned: partitions.includes(number), level: false });
    }
  }

  /** Records of a partition, with their offsets; `level`: they are the newest there are. */
  take(number: number, records: readonly (readonly [JobRecord, bigint])[], level: boolean): void {
    const partition = this.#partitions.get(number);
    if (partition === undefined) return;
    for (const [record, offset] of records) {
      partition.jobs.take(record, offset);
      // What became of the job stands in the log, though the answer to that may have been lost.
      this.#unconcluded.delete(idOf(record));
    }
    if (level) this.#partitions.set(number, { ...partition, level: true });
    this.look();
  }

  /** Why jobs here do not come to their end, although they were worked on; undefined when they do. */
  failure(): string | undefined {
    const [reason] = this.#unconcluded.values();
    if (reason === undefined) return undefined;
    return `cannot write down how ${this.#unconcluded.size} of its jobs ended and tries again (${reason})`;
  }

  /** How many jobs of its partitions are not at their end. */
  open(): number {
    const own = [...this.#partitions.values()].filter(({ assigned }) => assigned);
    return own.reduce((sum, { jobs }) => sum + jobs.size, 0);
  }

  /** As in `JobConsumer`; of partitions that are read up to their end, since in others an end may stand behind. */
  overdueMs(): number {
    const now = this.#options.now();
    const level = [...this.#partitions.values()].filter((partition) => partition.assigned && partition.level);
    const since = level.flatMap(({ jobs }) => jobs.due(now).find(({ id }) => !this.#running.has(id))?.since ?? []);
    return Math.max(0, ...since.map((moment) => Date.parse(now) - Date.parse(moment)));
  }

  /** As in `OpenJobs`. */
  lowWater(number: number): bigint | undefined {
    return this.#partitions.get(number)?.jobs.lowWater();
  }

  /** Hands over what is due now and comes back when the next job is. */
  look(): void {
    clearTimeout(this.#timer);
    if (this.#stopping.signal.aborted) return;
    const now = this.#options.now();
    let next: Moment | undefined;
    for (const [number, { jobs, assigned, level }] of this.#partitions) {
      if (!assigned || !level) continue;
      for (const job of jobs.due(now)) {
        if (this.#running.size >= this.#options.concurrency) return;
        if (!this.#running.has(job.id)) this.#start(number, jobs, job);
      }
      const nextHere = jobs.nextDue();
      if (nextHere !== undefined && (next === undefined || nextHere < next)) next = nextHere;
    }
    if (next === undefined) return;
    const wait = Math.min(Math.max(Date.parse(next) - Date.parse(now), 1), this.#options.lookAgainMs);
    this.#timer = setTimeout(() => this.look(), wait);
  }

  /** Takes no more, aborts the signal of what is at hand, and resolves when that has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await Promise.all(this.#running.values());
  }

  #start(partition: number, jobs: OpenJobs, job: OpenJob): void {
    const work = this.#run(partition, jobs, job).finally(() => {
      this.#running.delete(job.id);
      this.look();
    });
    this.#running.set(job.id, work);
  }

  async #run(partition: number, jobs: OpenJobs, job: OpenJob): Promise<void> {
    const { conclude, now, pauseAfterErrorMs } = this.#options;
    try {
      await conclude(job, await this.#outcomeOf(job), partition);
      jobs.forget(job);
      this.#unconcluded.delete(job.id);
    } catch (error) {
      const isOpen = jobs.putOff(job, momentAfter(now(), pauseAfterErrorMs));
      if (isOpen && this.#partitions.get(partition)?.assigned === true) this.#unconcluded.set(job.id, reasonOf(error));
    }
  }

  async #outcomeOf({ id, body }: OpenJob): Promise<JobOutcome> {
    const { handle, now, pauseAfterErrorMs } = this.#options;
    try {
      return await handle({ id, body }, this.#stopping.signal);
    } catch {
      // The handler tells its own log why; here it only matters that the job is not lost.
      return { kind: 'again', at: momentAfter(now(), pauseAfterErrorMs) };
    }
  }
}
