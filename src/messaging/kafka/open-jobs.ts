import type { Moment } from '../../domain/dates.ts';
import type { Job } from '../messaging.ts';
import { idOf, type JobRecord } from './job-record.ts';
import { WaitingJobs } from './waiting-jobs.ts';

/** A job that is not at its end. */
export interface OpenJob extends Job {
  /** Where its newest record stands. */
  readonly offset: bigint;
  /** Which record that one is about: itself, or the one that is to be done again. */
  readonly of: bigint;
  /** Undefined: now. */
  readonly due: Moment | undefined;
  /** From when on it is, or will be, due; undefined when nobody knows. */
  readonly since: Moment | undefined;
}

/**
 * The open jobs of one partition: a fold of its records, in their order. A record that comes again, after the group shared out
 * its partitions anew, is passed over.
 */
export class OpenJobs {
  /** By id; a newer record of a job puts it behind all others, so the first is the one whose record is oldest. */
  readonly #jobs = new Map<string, OpenJob>();
  /** Those of them that are due, the first to be so first. */
  readonly #due = new Set<OpenJob>();
  /** The others, and some that are no longer open. */
  readonly #waiting = new WaitingJobs<OpenJob>();
  #next: bigint | undefined;
  #resumed = false;

  /** How many there are. */
  get size(): number {
    return this.#jobs.size;
  }

  /** The group has shared out its partitions anew: reading goes on where the group last committed. */
  resume(): void {
    this.#resumed = true;
  }

  take(record: JobRecord, offset: bigint): void {
    if (this.#next !== undefined && offset < this.#next) return;
    if (this.#resumed && this.#next !== undefined && offset > this.#next) this.#dropBefore(offset);
    this.#resumed = false;
    this.#next = offset + 1n;
    const open = this.#jobs.get(idOf(record));
    if (record.kind !== 'published' && open !== undefined && isAboutEarlier(record.of, open)) return;
    this.#remove(open);
    if (record.kind === 'published') this.#add({ ...record.job, offset, of: offset, due: undefined, since: record.at });
    if (record.kind === 'again')
      this.#add({ ...record.job, offset, of: record.of, due: record.due, since: record.due });
  }

  /** The end of a job, or that it is to come again, stands in the log: what was known of it is over. */
  forget({ id, offset }: OpenJob): void {
    const open = this.#jobs.get(id);
    if (open?.offset === offset) this.#remove(open);
  }

  /** Its handler has ended, but how could not be written down: it comes again after a while. False: it is no longer open. */
  putOff({ id, offset }: OpenJob, due: Moment): boolean {
    const open = this.#jobs.get(id);
    if (open?.offset !== offset) return false;
    this.#due.delete(open);
    const later = { ...open, due, since: due };
    // In its place: that is the age of its record.
    this.#jobs.set(id, later);
    this.#waiting.add(later);
    return true;
  }

  /** By the age of their records. */
  all(): IterableIterator<OpenJob> {
    return this.#jobs.values();
  }

  /** Those that are due by now, the first to be so first. Costs nothing for those that wait. */
  due(now: Moment): SetIterator<OpenJob> {
    for (let next = this.#nextWaiting(); next?.due !== undefined && next.due <= now; next = this.#nextWaiting()) {
      this.#waiting.removeFirst();
      this.#due.add(next);
    }
    return this.#due.values();
  }

  /** When the next of the others is due; undefined when there is none. To be asked after `due`. */
  nextDue(): Moment | undefined {
    return this.#nextWaiting()?.due;
  }

  /** From here on the log has everything that is open; undefined before anything was read. */
  lowWater(): bigint | undefined {
    const [first] = this.#jobs.values();
    return first?.offset ?? this.#next;
  }

  #add(job: OpenJob): void {
    this.#jobs.set(job.id, job);
    if (job.due === undefined) this.#due.add(job);
    else this.#waiting.add(job);
  }

  /** From among those that wait it goes when it is its turn. */
  #remove(job: OpenJob | undefined): void {
    if (job === undefined) return;
    this.#jobs.delete(job.id);
    this.#due.delete(job);
  }

  #nextWaiting(): OpenJob | undefined {
    for (let first = this.#waiting.first(); first !== undefined; first = this.#waiting.first()) {
      if (this.#jobs.get(first.id) === first) return first;
      this.#waiting.removeFirst();
    }
    return undefined;
  }

  /**
   * Reading went on further than where it had ended, because others had read on meanwhile. They committed where it goes on now,
   * so whatever stands before is at its end or stands behind as well.
   */
  #dropBefore(offset: bigint): void {
    for (const open of this.#jobs.values()) if (open.offset < offset) this.#remove(open);
  }
}

/**
 * Whether a record that is about `of` is about an earlier publication than the open one: the job was published again since.
 * One that is itself about an earlier record only seems to be newer, where reading began behind the one between them.
 */
function isAboutEarlier(of: bigint, open: OpenJob): boolean {
  return open.offset > of && open.of >= of;
}
