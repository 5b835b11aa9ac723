import type { Moment } from '../../domain/dates.ts';
import type { Job, JobOutcome } from '../messaging.ts';

/** A job as it is kept. */
export interface KeptJob extends Job {
  /** How often it was published. */
  readonly edition: number;
}

/** What a consumer needs of the table of jobs. All of it throws `StoreUnavailable` when SQLite fails. */
export interface JobStore {
  /** The jobs that are due at `at`, oldest first. */
  readonly due: (queue: string, at: Moment, limit: number) => readonly KeptJob[];
  /** The next jobs, whether they are due or not: each with the moment at which it is, earliest first. */
  readonly next: (queue: string, limit: number) => readonly { readonly id: string; readonly due: Moment }[];
  /** How many jobs are neither done nor dead. */
  readonly count: (queue: string) => number;
  /** Does nothing when the job was published again since it was read. */
  readonly conclude: (queue: string, job: KeptJob, outcome: JobOutcome) => void;
}
