import type { Admin, Kafka } from 'kafkajs';
import { asUnavailable, kafkaClient, type KafkaOptions, NO_RETRIES, untilDisconnected } from './client.ts';
import { SharedConnection } from './shared-connection.ts';
import { TopicMismatch } from '../messaging.ts';

export async function withAdmin<T>(options: KafkaOptions, work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = kafkaClient(options).admin();
  try {
    await admin.connect();
    return await work(admin);
  } catch (error) {
    throw error instanceof TopicMismatch ? error : asUnavailable(error);
  } finally {
    await untilDisconnected(admin.disconnect());
  }
}

export async function partitionsOf(
  options: KafkaOptions,
  topics: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  return await withAdmin(options, async (admin) => {
    const all = new Set(await admin.listTopics());
    const existing = topics.filter((topic) => all.has(topic));
    if (existing.length === 0) return new Map();
    const { topics: found } = await admin.fetchTopicMetadata({ topics: existing });
    return new Map(found.map(({ name, partitions }) => [name, partitions.length]));
  });
}

export class SharedAdmin {
  readonly #connection: SharedConnection<Admin>;

  constructor(kafka: Kafka) {
    this.#connection = new SharedConnection(() => kafka.admin({ retry: NO_RETRIES }));
  }

  /** @throws {StoreUnavailable} when no broker answers */
  async ping(): Promise<void> {
    await this.request(async (admin) => await admin.describeCluster());
  }

  /** @throws {StoreUnavailable} when no broker answers */
  async request<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
    try {
      return await this.#connection.use(work);
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }
}
