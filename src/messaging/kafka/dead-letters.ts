import type { Admin, Kafka } from 'kafkajs';
import { StoreUnavailable } from '../../event-store/event-store.ts';
import { lettersAt } from '../letters-at.ts';
import type { DeadLetter } from '../messaging.ts';
import { KNOWS_GROUPS_WITHIN_MS, knowsNoGroupsYet, repeated } from './again.ts';
import { asUnavailable, untilDisconnected } from './client.ts';
import { deadRecordOf, type DeadRecord, settledMessageOf, type Stand, unsettled } from './dead-record.ts';
import { GroupMember } from './group-member.ts';
import type { Sender } from './sender.ts';

const READ_WITHIN_MS = 60_000;
/** Letters that are marked at once. */
const MOST_AT_ONCE = 500;

/** Partition → the offset behind its last message. */
type Ends = ReadonlyMap<number, bigint>;

/** The dead letters of a topic, which tells as well which of them were replayed or discarded. They are few: all is read each time. */
export class DeadLetters {
  readonly #kafka: Kafka;
  readonly #sender: Sender;

  constructor(kafka: Kafka, sender: Sender) {
    this.#kafka = kafka;
    this.#sender = sender;
  }

  /** Those that were neither replayed nor discarded, oldest first, each job once. @throws {StoreUnavailable} */
  async list(topic: string): Promise<readonly DeadLetter[]> {
    return eachJobOnce(await this.#read(topic));
  }

  /** Hands them over and then marks them as replayed; resolves with how many there were. @throws {StoreUnavailable} */
  async take(topic: string, replay: (letters: readonly DeadLetter[]) => Promise<void>): Promise<number> {
    const letters = await this.#read(topic);
    const jobs = eachJobOnce(letters);
    await replay(jobs);
    await this.#settle(topic, letters, 'replayed');
    return jobs.length;
  }

  /**
   * Marks the letters at these places as discarded, and what there is besides of their jobs; resolves with them.
   * @throws {NoSuchLetters} when there is none at some of the places; then none is marked
   * @throws {StoreUnavailable}
   */
  async discard(topic: string, places: readonly string[]): Promise<readonly DeadLetter[]> {
    const letters = await this.#read(topic);
    const discarded = lettersAt(places, eachJobOnce(letters));
    const names = new Set(discarded.map(nameOf));
    const meant = letters.filter((letter) => names.has(nameOf(letter)));
    await this.#settle(topic, meant, 'discarded');
    return discarded;
  }

  async #settle(topic: string, letters: readonly (DeadLetter & Stand)[], how: 'replayed' | 'discarded'): Promise<void> {
    for (let from = 0; from < letters.length; from += MOST_AT_ONCE) {
      const messages = letters.slice(from, from + MOST_AT_ONCE).map((letter) => settledMessageOf(letter, how));
      await this.#sender.send([{ topic, messages }]);
    }
  }

  async #read(topic: string): Promise<readonly (DeadLetter & Stand)[]> {
    const read = async (): Promise<readonly (DeadRecord & Stand)[]> => {
      const ends = await this.#unread(topic);
      return ends.size === 0 ? [] : await this.#records(topic, ends);
    };
    try {
      return unsettled(await repeated(read, performance.now() + KNOWS_GROUPS_WITHIN_MS, knowsNoGroupsYet));
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

  async #records(topic: string, ends: Ends): Promise<readonly (DeadRecord & Stand)[]> {
    const read: (DeadRecord & Stand)[] = [];
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

/** As it died last, by the order of that. */
function eachJobOnce(letters: readonly DeadLetter[]): readonly DeadLetter[] {
  const jobs = new Map<string, DeadLetter>();
  for (const { job, reason, diedAt, place } of letters) {
    const letter = { job, reason, diedAt, place };
    jobs.delete(nameOf(letter));
    jobs.set(nameOf(letter), letter);
  }
  return [...jobs.values()];
}

/** Of which job a letter is; where a stranger's has no id, it is the only one of its job. */
function nameOf({ job, place }: DeadLetter): string {
  return job.id === '' ? place : `job ${job.id}`;
}

function groupOf(topic: string): string {
  return `${topic}.replay`;
}
