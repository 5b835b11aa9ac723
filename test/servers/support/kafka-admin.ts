import type { Admin } from 'kafkajs';
import { kafkaClient, type KafkaOptions } from '../../../src/messaging/kafka/client.ts';
import { topicPlans } from '../../../src/processes/topics.ts';

/** The brokers that a suite may use; empty without `KAFKA_BROKERS`. */
export const KAFKA: KafkaOptions = { brokers: (process.env['KAFKA_BROKERS'] ?? '').split(',').filter(Boolean) };

/** Removes what a suite has made: all topics and groups whose names begin so. */
export async function removeFromKafka(prefix: string): Promise<void> {
  await withAdmin(async (admin) => {
    await deleteTopics(admin, (topic) => topic.startsWith(prefix));
    const { groups } = await admin.listGroups();
    const own = groups.map(({ groupId }) => groupId).filter((group) => group.startsWith(prefix));
    if (own.length > 0) await admin.deleteGroups(own).catch(() => []);
  });
}

/** Topics of Surety that the brokers do not have. */
export async function lackingTopics(): Promise<ReadonlySet<string>> {
  if (KAFKA.brokers.length === 0) return new Set();
  const there = await withAdmin(async (admin) => await admin.listTopics());
  const own = topicPlans({ partitions: 1, replication: 1 }).map(({ topic }) => topic);
  return new Set(own).difference(new Set(there));
}

/** Removes those of the topics that are there. */
export async function removeTopics(topics: ReadonlySet<string>): Promise<void> {
  if (topics.size > 0) await withAdmin(async (admin) => await deleteTopics(admin, (topic) => topics.has(topic)));
}

async function deleteTopics(admin: Admin, isMeant: (topic: string) => boolean): Promise<void> {
  const topics = (await admin.listTopics()).filter(isMeant);
  if (topics.length > 0) await admin.deleteTopics({ topics });
}

async function withAdmin<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = kafkaClient(KAFKA).admin({ retry: { retries: 5 } });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}
