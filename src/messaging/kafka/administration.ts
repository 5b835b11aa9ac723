import type { Admin } from 'kafkajs';
import { asUnavailable, kafkaClient, type KafkaOptions, untilDisconnected } from './client.ts';

/** Returns those of these topics that exist, with the number of their partitions. @throws {StoreUnavailable} */
export async function partitionsOf(
  options: KafkaOptions,
  topics: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  return await asAdmin(options, async (admin) => {
    const all = new Set(await admin.listTopics());
    const there = topics.filter((topic) => all.has(topic));
    if (there.length === 0) return new Map();
    const { topics: found } = await admin.fetchTopicMetadata({ topics: there });
    return new Map(found.map(({ name, partitions }) => [name, partitions.length]));
  });
}

/** Runs `work` with an administrator that is connected. @throws {StoreUnavailable} */
export async function asAdmin<T>(options: KafkaOptions, work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = kafkaClient(options).admin();
  try {
    await admin.connect();
    return await work(admin);
  } catch (error) {
    throw asUnavailable(error);
  } finally {
    await untilDisconnected(admin.disconnect());
  }
}
