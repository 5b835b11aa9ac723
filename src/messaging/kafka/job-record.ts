import type { KafkaMessage, Message } from 'kafkajs';
import { type Moment, moment } from '../../domain/dates.ts';
import type { Job } from '../messaging.ts';
import { bodyOf, idIn, momentOf, numberIn, textIn } from './message-parts.ts';

/**
 * What stands in the topic of a queue, under the job's id as key, so that all of a job is in one partition:
 * - `published`: the job is to be done now, that is from `at` on, where it is known when it was published;
 * - `again`: the job that stands at `of` is to be done once more, not before `due`;
 * - `done`: the job that stands at `of` is at its end.
 * What is open is a fold of these (`OpenJobs`).
 */
export type JobRecord =
  | { readonly kind: 'published'; readonly job: Job; readonly at?: Moment | undefined }
  | { readonly kind: 'again'; readonly job: Job; readonly of: bigint; readonly due: Moment }
  | { readonly kind: 'done'; readonly id: string; readonly of: bigint };

const KIND = 'surety-job';
const OF = 'surety-of';
const DUE = 'surety-due';

/** The record as a message. */
export function messageOf(record: JobRecord): Message {
  switch (record.kind) {
    case 'published': {
      const { job, at } = record;
      const time = at === undefined ? {} : { timestamp: String(Date.parse(at)) };
      return { key: job.id, value: JSON.stringify(job.body), ...time, headers: { [KIND]: 'published' } };
    }
    case 'again': {
      const headers = { [KIND]: 'again', [OF]: String(record.of), [DUE]: record.due };
      return { key: record.job.id, value: JSON.stringify(record.job.body), headers };
    }
    case 'done':
      return { key: record.id, value: null, headers: { [KIND]: 'done', [OF]: String(record.of) } };
    default:
      return record satisfies never;
  }
}

/** Of the job that it is about. */
export function idOf(record: JobRecord): string {
  return record.kind === 'done' ? record.id : record.job.id;
}

/**
 * The message as a record. What is not written by Surety counts as published: its handler says that it cannot be read. Where its
 * key is no id, each is a job of its own, which is called by its place.
 */
export function recordOf(
  {
    key,
    value,
    timestamp,
    offset,
    headers = {},
  }: Pick<KafkaMessage, 'key' | 'value' | 'timestamp' | 'offset' | 'headers'>,
  partition: number,
): JobRecord {
  const kind = textIn(headers, KIND);
  const of = numberIn(headers, OF);
  const id = idIn(key) ?? `without id ${partition}/${of ?? offset}`;
  const job = { id, body: bodyOf(value) };
  const due = textIn(headers, DUE);
  if (kind === 'done' && of !== undefined) return { kind, id, of };
  if (kind === 'again' && of !== undefined && moment.safeParse(due).success) return { kind, job, of, due: String(due) };
  return { kind: 'published', job, at: momentOf(timestamp) };
}
