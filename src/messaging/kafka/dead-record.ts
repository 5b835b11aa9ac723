import type { KafkaMessage, Message } from 'kafkajs';
import type { Moment } from '../../domain/dates.ts';
import type { DeadLetter, Job } from '../messaging.ts';
import { bodyOf, idIn, momentOf, numberIn, textIn } from './message-parts.ts';

/** A letter as it stands in its topic; its place is where the broker has put it. */
type WrittenLetter = Omit<DeadLetter, 'place'>;

/**
 * What stands in the topic of dead letters, under the job's id as key:
 * - `dead`: a letter;
 * - `settled`: the letter that stands at `of`, and what stands before it of this job, was published anew or discarded. Where
 *   a stranger's letters have no key, so that nobody knows whether they are of one job, it is about that one alone.
 */
export type DeadRecord =
  | ({ readonly kind: 'dead' } & WrittenLetter)
  | { readonly kind: 'settled'; readonly id: string; readonly of: bigint };

/** Where a record stands. */
export interface Stand {
  readonly partition: number;
  readonly offset: bigint;
}

const REASON = 'surety-reason';
const QUEUE = 'surety-queue';
/** Of a letter that was discarded as well: all versions of Surety know this header. */
const SETTLED = 'surety-replayed';
/** For whoever reads the topic. */
const DISCARDED = 'surety-discarded';

/** Of a job of Surety's own, which holds ids, all is kept. */
const MOST_BYTES = 65_536;
const KEPT_OF_MORE = 1_000;

/** A job that nobody can do by itself as a message. Of what others sent, and what no job can be, the beginning is enough. */
export function deadMessageOf(job: Job, queue: string, reason: string, diedAt: Moment): Message {
  const text = JSON.stringify(job.body);
  const bytes = Buffer.byteLength(text);
  const value = bytes <= MOST_BYTES ? text : JSON.stringify(`${text.slice(0, KEPT_OF_MORE)}… (${bytes} bytes)`);
  const timestamp = String(Date.parse(diedAt));
  return { key: job.id, value, timestamp, headers: { [REASON]: reason, [QUEUE]: queue } };
}

/** The message that a letter was replayed or discarded; it must stand in the partition of the letter. */
export function settledMessageOf(
  { job, partition, offset }: Pick<DeadLetter, 'job'> & Stand,
  how: 'replayed' | 'discarded',
): Message {
  const headers = { [SETTLED]: String(offset), ...(how === 'discarded' ? { [DISCARDED]: 'true' } : {}) };
  return { key: job.id, value: null, partition, headers };
}

/** The message as a record. Whatever is no other record counts as a letter, so that somebody sees it. */
export function deadRecordOf({
  key,
  value,
  timestamp,
  headers = {},
}: Pick<KafkaMessage, 'key' | 'value' | 'timestamp' | 'headers'>): DeadRecord {
  const id = idIn(key) ?? '';
  const of = numberIn(headers, SETTLED);
  if (of !== undefined) return { kind: 'settled', id, of };
  const reason = textIn(headers, REASON) ?? 'unknown';
  return { kind: 'dead', job: { id, body: bodyOf(value) }, reason, diedAt: momentOf(timestamp) };
}

/**
 * The letters that were not settled, those first that died first; of a job that died several times in one partition the last.
 * However the partitions were read, the order is the same.
 * @param records those of a partition in their order
 */
export function unsettled(records: readonly (DeadRecord & Stand)[]): readonly (DeadLetter & Stand)[] {
  const letters = new Map<string, DeadLetter & Stand>();
  for (const record of records) {
    const { partition, offset } = record;
    if (record.kind === 'dead') {
      const { job, reason, diedAt } = record;
      const name = nameIn(partition, job.id, offset);
      letters.set(name, { job, reason, diedAt, place: `${partition}/${offset}`, partition, offset });
    } else {
      const name = nameIn(partition, record.id, record.of);
      if ((letters.get(name)?.offset ?? record.of) <= record.of) letters.delete(name);
    }
  }
  return [...letters.values()].toSorted(byAge);
}

function byAge(one: DeadLetter & Stand, other: DeadLetter & Stand): number {
  const [earlier, later] = [one.diedAt ?? '', other.diedAt ?? ''];
  if (earlier !== later) return earlier < later ? -1 : 1;
  return one.partition - other.partition || Number(one.offset - other.offset);
}

function nameIn(partition: number, id: string, offset: bigint): string {
  return id === '' ? `${partition}/${offset}` : `${partition} ${id}`;
}
