import type { Admin } from 'kafkajs';
import { kafkaClient, type KafkaOptions } from '#stores/messaging/kafka/client.ts';
import { topicPlans } from '#service/compose/kafka-topics.ts';

/** The brokers at KAFKA_BROKERS; empty when it is not set. */
export const KAFKA: KafkaOptions = { brokers: (process.env['KAFKA_BROKERS'] ?? '').split(',').filter(Boolean) };

/** Deletes all topics and groups with the prefix. */
export async function removeFromKafka(prefix: string): Promise<void> {
  await withAdmin(async (admin) => {
    await deleteTopics(admin, (topic) => topic.startsWith(prefix));
    const { groups } = await admin.listGroups();
    const own = groups.map(({ groupId }) => groupId).filter((group) => group.startsWith(prefix));
    if (own.length > 0) await admin.deleteGroups(own).catch(() => []);
  });
}

/** Returns the topics of Surety that the brokers do not have. */
export async function findMissingTopics(): Promise<ReadonlySet<string>> {
  if (KAFKA.brokers.length === 0) return new Set();
  const existing = await withAdmin(async (admin) => await admin.listTopics());
  const own = topicPlans({ partitions: 1, replication: 1 }).map(({ topic }) => topic);
  return new Set(own).difference(new Set(existing));
}

/** Deletes those of the topics that exist. */
export async function removeTopics(topics: ReadonlySet<string>): Promise<void> {
  if (topics.size > 0) await withAdmin(async (admin) => await deleteTopics(admin, (topic) => topics.has(topic)));
}

async function deleteTopics(admin: Admin, matches: (topic: string) => boolean): Promise<void> {
  const topics = (await admin.listTopics()).filter(matches);
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
