import { describe } from '@jest/globals';
import type { Admin } from 'kafkajs';
import { kafkaClient, type KafkaOptions } from '../../../src/messaging/kafka/client.ts';
import { topicPlans } from '../../../src/processes/topics.ts';

/** The brokers that a suite may use; empty without `KAFKA_BROKERS`, and then `describeOnKafka` skips. */
export const KAFKA: KafkaOptions = { brokers: (process.env['KAFKA_BROKERS'] ?? '').split(',').filter(Boolean) };

const hasBroker = KAFKA.brokers.length > 0;

/** Declares a suite that needs a broker; without one it is skipped. `titleOnKafka` makes its name say why. */
export const describeOnKafka = hasBroker ? describe : describe.skip;

/** The name of such a suite. */
export function titleOnKafka(title: string): string {
  return hasBroker ? title : `${title} (skipped: KAFKA_BROKERS names no broker)`;
}

let counted = 0;

/** A name that no other suite uses, not even one that runs at the same time. */
export function ownName(): string {
  counted += 1;
  return `test-${process.pid}-${Date.now().toString(36)}-${counted}.`;
}

/** Removes what a suite has made: all topics and groups whose names begin so. */
export async function removeFromKafka(prefix: string): Promise<void> {
  await asAdmin(async (admin) => {
    await deleteTopics(admin, (topic) => topic.startsWith(prefix));
    const { groups } = await admin.listGroups();
    const own = groups.map(({ groupId }) => groupId).filter((group) => group.startsWith(prefix));
    if (own.length > 0) await admin.deleteGroups(own).catch(() => []);
  });
}

/** To be asked before a suite lets `surety setup` make topics; what it resolves with removes those that were not there. */
export async function removerOfNewTopics(): Promise<() => Promise<void>> {
  const own = new Set(topicPlans({ partitions: 1, replication: 1 }).map(({ topic }) => topic));
  const before = await asAdmin(async (admin) => new Set(await admin.listTopics()));
  const isNew = (topic: string): boolean => own.has(topic) && !before.has(topic);
  return async () => await asAdmin(async (admin) => await deleteTopics(admin, isNew));
}

async function deleteTopics(admin: Admin, isMeant: (topic: string) => boolean): Promise<void> {
  const topics = (await admin.listTopics()).filter(isMeant);
  if (topics.length > 0) await admin.deleteTopics({ topics });
}

async function asAdmin<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = kafkaClient(KAFKA).admin({ retry: { retries: 5 } });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}
