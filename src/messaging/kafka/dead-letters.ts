import type { Admin, Kafka, KafkaMessage } from 'kafkajs';
import { StoreUnavailable } from '../../event-store/event-store.ts';
import type { DeadLetter } from '../messaging.ts';
import { asUnavailable, within } from './client.ts';
import { readDeadLetter } from './job-record.ts';

const READ_WITHIN_MS = 60_000;
const DISCONNECT_WITHIN_MS = 5_000;

/** Partition → the offset behind its last message. */
type Ends = ReadonlyMap<number, bigint>;

interface Found {
  readonly letters: readonly DeadLetter[];
  readonly ends: Ends;
}

/** The dead letters of a topic. A consumer group of its own remembers which of them were replayed. */
export class DeadLetters {
  readonly #kafka: Kafka;

  constructor(kafka: Kafka) {
    this.#kafka = kafka;
  }

  /** Those that were not replayed, oldest first, each job once. @throws {StoreUnavailable} */
  async list(topic: string): Promise<readonly DeadLetter[]> {
    return await this.#asAdmin(async (admin) => (await this.#read(topic, admin)).letters);
  }

  /** Hands them over and then counts them as replayed; resolves with how many there were. @throws {StoreUnavailable} */
  async take(topic: string, replay: (letters: readonly DeadLetter[]) => Promise<void>): Promise<number> {
    return await this.#asAdmin(async (admin) => {
      const { letters, ends } = await this.#read(topic, admin);
      if (letters.length === 0) return 0;
      await replay(letters);
      const partitions = [...ends].map(([partition, end]) => ({ partition, offset: String(end) }));
      await admin.setOffsets({ groupId: groupOf(topic), topic, partitions });
      return letters.length;
    });
  }

  async #asAdmin<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
    const admin = this.#kafka.admin();
    try {
      await admin.connect();
      return await work(admin);
    } catch (error) {
      throw asUnavailable(error);
    } finally {
      await within(DISCONNECT_WITHIN_MS, admin.disconnect());
    }
  }

  async #read(topic: string, admin: Admin): Promise<Found> {
    const ends = await this.#unreplayed(topic, admin);
    const messages = ends.size === 0 ? [] : await this.#messages(topic, ends);
    const letters = new Map<string, DeadLetter>();
    for (const message of messages) {
      const letter = readDeadLetter(message);
      letters.delete(letter.job.id);
      letters.set(letter.job.id, letter);
    }
    return { letters: [...letters.values()], ends };
  }

  /** The ends of the partitions that hold any. */
  async #unreplayed(topic: string, admin: Admin): Promise<Ends> {
    const present = await admin.fetchTopicOffsets(topic);
    const [replayed] = await admin.fetchOffsets({ groupId: groupOf(topic), topics: [topic] });
    const replayedTo = new Map(replayed?.partitions.map(({ partition, offset }) => [partition, BigInt(offset)]));
    const open = present.filter(({ partition, low, high }) => {
      const from = replayedTo.get(partition) ?? -1n;
      return BigInt(high) > BigInt(low) && BigInt(high) > from;
    });
    return new Map(open.map(({ partition, high }) => [partition, BigInt(high)]));
  }

  async #messages(topic: string, ends: Ends): Promise<readonly KafkaMessage[]> {
    const read: KafkaMessage[] = [];
    const missing = new Map(ends);
    const done = Promise.withResolvers<void>();
    const consumer = this.#kafka.consumer({
      groupId: groupOf(topic),
      allowAutoTopicCreation: false,
      maxWaitTimeInMs: 200,
    });
    consumer.on(consumer.events.CRASH, ({ payload }) => done.reject(payload.error));
    const timer = setTimeout(() => {
      done.reject(new StoreUnavailable('Kafka: the dead letters cannot be read; does somebody else read them now?'));
    }, READ_WITHIN_MS);
    try {
      await consumer.connect();
      await consumer.subscribe({ topics: [topic], fromBeginning: true });
      await consumer.run({
        autoCommit: false,
        eachBatch: async ({ batch }) => {
          const end = missing.get(batch.partition) ?? 0n;
          read.push(...batch.messages.filter(({ offset }) => BigInt(offset) < end));
          if (BigInt(batch.lastOffset()) + 1n >= end) missing.delete(batch.partition);
          if (missing.size === 0) done.resolve();
        },
      });
      await done.promise;
      return read;
    } finally {
      clearTimeout(timer);
      await within(DISCONNECT_WITHIN_MS, consumer.disconnect());
    }
  }
}

function groupOf(topic: string): string {
  return `${topic}.replay`;
}
