import { describe } from '@jest/globals';
import { kafkaClient, type KafkaOptions } from '../../../src/messaging/kafka/client.ts';

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
  const admin = kafkaClient(KAFKA).admin({ retry: { retries: 5 } });
  await admin.connect();
  try {
    const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(prefix));
    if (topics.length > 0) await admin.deleteTopics({ topics });
    const { groups } = await admin.listGroups();
    const own = groups.map(({ groupId }) => groupId).filter((group) => group.startsWith(prefix));
    if (own.length > 0) await admin.deleteGroups(own).catch(() => []);
  } finally {
    await admin.disconnect();
  }
}
