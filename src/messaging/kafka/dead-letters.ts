import type { Admin, Kafka } from 'kafkajs';
import { StoreUnavailable } from '../../event-store/event-store.ts';
import type { DeadLetter } from '../messaging.ts';
import { asUnavailable, untilDisconnected } from './client.ts';
import { deadRecordOf, type DeadRecord, notReplayed, type Place, replayedMessageOf } from './dead-record.ts';
import { GroupMember } from './group-member.ts';
import type { Sender } from './sender.ts';

const READ_WITHIN_MS = 60_000;
/** Letters that are marked at once. */
const MOST_AT_ONCE = 500;

/** Partition → the offset behind its last message. */
type Ends = ReadonlyMap<number, bigint>;

/** The dead letters of a topic, which tells as well which of them were replayed. They are few: all is read each time. */
export class DeadLetters {
  readonly #kafka: Kafka;
  readonly #sender: Sender;

  constructor(kafka: Kafka, sender: Sender) {
    this.#kafka = kafka;
    this.#sender = sender;
  }

  /** Those that were not replayed, oldest first, each job once. @throws {StoreUnavailable} */
  async list(topic: string): Promise<readonly DeadLetter[]> {
    return eachJobOnce(await this.#read(topic));
  }

  /** Hands them over and then marks them as replayed; resolves with how many there were. @throws {StoreUnavailable} */
  async take(topic: string, replay: (letters: readonly DeadLetter[]) => Promise<void>): Promise<number> {
    const letters = await this.#read(topic);
    const jobs = eachJobOnce(letters);
    await replay(jobs);
    for (let from = 0; from < letters.length; from += MOST_AT_ONCE) {
      const messages = letters.slice(from, from + MOST_AT_ONCE).map(replayedMessageOf);
      await this.#sender.send([{ topic, messages }]);
    }
    return jobs.length;
  }

  async #read(topic: string): Promise<readonly (DeadLetter & Place)[]> {
    try {
      const ends = await this.#unread(topic);
      return notReplayed(ends.size === 0 ? [] : await this.#records(topic, ends));
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  /** The ends of the partitions that hold any. */
  async #unread(topic: string): Promise<Ends> {
    const admin = this.#kafka.admin();
    try {
      await admin.connect();
      return await unread(admin, topic);
    } finally {
      await untilDisconnected(admin.disconnect());
    }
  }

  async #records(topic: string, ends: Ends): Promise<readonly (DeadRecord & Place)[]> {
    const read: (DeadRecord & Place)[] = [];
    const missing = new Map(ends);
    const done = Promise.withResolvers<void>();
    const member = new GroupMember(
      this.#kafka.consumer({ groupId: groupOf(topic), allowAutoTopicCreation: false, maxWaitTimeInMs: 200 }),
    );
    const timer = setTimeout(() => {
      member.fail(new StoreUnavailable('Kafka: the dead letters cannot be read; does somebody else read them now?'));
    }, READ_WITHIN_MS);
    const consuming = member.consume(topic, async ({ batch }) => {
      const { partition, messages } = batch;
      const end = missing.get(partition) ?? 0n;
      for (const message of messages) {
        const offset = BigInt(message.offset);
        if (offset < end) read.push({ ...deadRecordOf(message), partition, offset });
      }
      if (BigInt(batch.lastOffset()) + 1n >= end) missing.delete(partition);
      if (missing.size === 0) done.resolve();
      await Promise.resolve();
    });
    try {
      await Promise.race([done.promise, consuming]);
      return read;
    } finally {
      clearTimeout(timer);
      await member.end();
    }
  }
}

/**
 * Earlier versions told by the offsets of a group which letters were replayed; the group is read from there on as long as the
 * broker knows them.
 */
async function unread(admin: Admin, topic: string): Promise<Ends> {
  const present = await admin.fetchTopicOffsets(topic);
  const [replayed] = await admin.fetchOffsets({ groupId: groupOf(topic), topics: [topic] });
  const replayedTo = new Map(replayed?.partitions.map(({ partition, offset }) => [partition, BigInt(offset)]));
  const open = present.filter(({ partition, low, high }) => {
    const from = replayedTo.get(partition) ?? -1n;
    return BigInt(high) > BigInt(low) && BigInt(high) > from;
  });
  return new Map(open.map(({ partition, high }) => [partition, BigInt(high)]));
}

/** With the newest reason, by the order of that. */
function eachJobOnce(letters: readonly DeadLetter[]): readonly DeadLetter[] {
  const jobs = new Map<string, DeadLetter>();
  for (const { job, reason } of letters) {
    jobs.delete(job.id);
    jobs.set(job.id, { job, reason });
  }
  return [...jobs.values()];
}

function groupOf(topic: string): string {
  return `${topic}.replay`;
}
