import type { KafkaMessage, Message } from 'kafkajs';
import type { DeadLetter, Job } from '../messaging.ts';
import { bodyOf, numberIn, textIn } from './message-parts.ts';

/**
 * What stands in the topic of dead letters, under the job's id as key:
 * - `dead`: a letter;
 * - `replayed`: the letter that stands at `of`, and what stands before it of this job, was published anew.
 */
export type DeadRecord =
  | ({ readonly kind: 'dead' } & DeadLetter)
  | { readonly kind: 'replayed'; readonly id: string; readonly of: bigint };

/** Where a record stands. */
export interface Place {
  readonly partition: number;
  readonly offset: bigint;
}

const REASON = 'surety-reason';
const QUEUE = 'surety-queue';
const REPLAYED = 'surety-replayed';

/** Of a job of Surety's own, which holds ids, all is kept. */
const MOST_BYTES = 65_536;
const KEPT_OF_MORE = 1_000;

/** A job that nobody can do by itself as a message. Of what others sent, and what no job can be, the beginning is enough. */
export function deadMessageOf(job: Job, queue: string, reason: string): Message {
  const text = JSON.stringify(job.body);
  const bytes = Buffer.byteLength(text);
  const value = bytes <= MOST_BYTES ? text : JSON.stringify(`${text.slice(0, KEPT_OF_MORE)}… (${bytes} bytes)`);
  return { key: job.id, value, headers: { [REASON]: reason, [QUEUE]: queue } };
}

/** The message that a letter was replayed; it must stand in the partition of the letter. */
export function replayedMessageOf({ job, partition, offset }: DeadLetter & Place): Message {
  return { key: job.id, value: null, partition, headers: { [REPLAYED]: String(offset) } };
}

/** The message as a record. Whatever is no other record counts as a letter, so that somebody sees it. */
export function deadRecordOf({
  key,
  value,
  headers = {},
}: Pick<KafkaMessage, 'key' | 'value' | 'headers'>): DeadRecord {
  const id = key?.toString() ?? '';
  const of = numberIn(headers, REPLAYED);
  if (of !== undefined) return { kind: 'replayed', id, of };
  return { kind: 'dead', job: { id, body: bodyOf(value) }, reason: textIn(headers, REASON) ?? 'unknown' };
}

/**
 * The letters that were not replayed, by the order of their records; of a job that died several times in one partition the
 * last.
 * @param records those of a partition in their order
 */
export function notReplayed(records: readonly (DeadRecord & Place)[]): readonly (DeadLetter & Place)[] {
  const letters = new Map<string, DeadLetter & Place>();
  for (const record of records) {
    const { kind, partition } = record;
    const name = `${partition} ${kind === 'dead' ? record.job.id : record.id}`;
    if (kind === 'dead') {
      // Behind all others, also if one of this job was there.
      letters.delete(name);
      letters.set(name, record);
    } else if ((letters.get(name)?.offset ?? record.of) <= record.of) {
      letters.delete(name);
    }
  }
  return [...letters.values()];
}
