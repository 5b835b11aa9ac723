import type { Moment } from '../../domain/dates.ts';
import type { Job } from '../messaging.ts';
import type { JobRecord } from './job-record.ts';

/** A job that is not at its end. */
export interface OpenJob extends Job {
  /** Where its newest record stands. */
  readonly offset: bigint;
  /** Undefined: now. */
  readonly due: Moment | undefined;
}

/**
 * The open jobs of one partition: a fold of its records, in their order. A record that comes again, after the group shared out
 * its partitions anew, is passed over.
 */
export class OpenJobs {
  /** By id; a newer record of a job puts it behind all others, so the first is the one whose record is oldest. */
  readonly #jobs = new Map<string, OpenJob>();
  #next: bigint | undefined;
  #resumed = false;

  /** The group has shared out its partitions anew: reading goes on where the group last committed. */
  resume(): void {
    this.#resumed = true;
  }

  take(record: JobRecord, offset: bigint): void {
    if (this.#next !== undefined && offset < this.#next) return;
    if (this.#resumed && this.#next !== undefined && offset > this.#next) this.#dropBefore(offset);
    this.#resumed = false;
    this.#next = offset + 1n;
    const id = record.kind === 'done' ? record.id : record.job.id;
    const open = this.#jobs.get(id);
    // It was published again after that: this is about an earlier one.
    if (record.kind !== 'published' && open !== undefined && open.offset > record.of) return;
    this.#jobs.delete(id);
    if (record.kind === 'done') return;
    this.#jobs.set(id, { ...record.job, offset, due: record.kind === 'again' ? record.due : undefined });
  }

  /** The end of a job, or that it is to come again, stands in the log: what was known of it is over. */
  forget({ id, offset }: OpenJob): void {
    if (this.#jobs.get(id)?.offset === offset) this.#jobs.delete(id);
  }

  /** Its handler has ended, but how could not be written down: it comes again after a while. */
  putOff({ id, offset }: OpenJob, due: Moment): void {
    const open = this.#jobs.get(id);
    if (open?.offset === offset) this.#jobs.set(id, { ...open, due });
  }

  /** By the age of their records. */
  all(): IterableIterator<OpenJob> {
    return this.#jobs.values();
  }

  /** From here on the log has everything that is open; undefined before anything was read. */
  lowWater(): bigint | undefined {
    const [first] = this.#jobs.values();
    return first?.offset ?? this.#next;
  }

  /**
   * Reading went on further than where it had ended, because others had read on meanwhile. They committed where it goes on now,
   * so whatever stands before is at its end or stands behind as well.
   */
  #dropBefore(offset: bigint): void {
    for (const open of this.#jobs.values()) if (open.offset < offset) this.#jobs.delete(open.id);
  }
}
