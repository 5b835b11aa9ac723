import type { KafkaMessage } from 'kafkajs';
import { kafkaClient, type KafkaOptions } from '../../../src/messaging/kafka/client.ts';
import { ownName } from './kafka.ts';

/** A message of a topic, in words. */
export interface Read {
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly value: string;
}

/** Everything that stands in a topic now, by the order within its partitions. */
export async function readTopic(options: KafkaOptions, topic: string): Promise<readonly Read[]> {
  const kafka = kafkaClient(options);
  const admin = kafka.admin({ retry: { retries: 10 } });
  await admin.connect();
  const offsets = await admin.fetchTopicOffsets(topic);
  await admin.disconnect();
  const missing = new Map(
    offsets.filter(({ low, high }) => low !== high).map(({ partition, high }) => [partition, BigInt(high)]),
  );
  if (missing.size === 0) return [];
  const read: Read[] = [];
  const done = Promise.withResolvers<void>();
  const consumer = kafka.consumer({
    groupId: `${ownName()}reader`,
    allowAutoTopicCreation: false,
    maxWaitTimeInMs: 200,
  });
  consumer.on(consumer.events.CRASH, ({ payload }) => done.reject(payload.error));
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    eachBatch: async ({ batch }) => {
      await Promise.resolve();
      read.push(...batch.messages.map(inWords));
      if (BigInt(batch.lastOffset()) + 1n >= (missing.get(batch.partition) ?? 0n)) missing.delete(batch.partition);
      if (missing.size === 0) done.resolve();
    },
  });
  try {
    await done.promise;
  } finally {
    await consumer.disconnect();
  }
  return read;
}

function inWords({ key, headers = {}, value }: KafkaMessage): Read {
  const words = Object.entries(headers).map(([name, text]) => [name, String(text)]);
  return { key: String(key), headers: Object.fromEntries(words), value: String(value) };
}

/** `ce_id`s in the order of their first occurrence, by key. */
export function firstOccurrences(
  messages: readonly Pick<Read, 'key' | 'headers'>[],
): ReadonlyMap<string, readonly string[]> {
  const byKey = new Map<string, Set<string>>();
  for (const { key, headers } of messages) {
    const ids = byKey.get(key) ?? new Set<string>();
    byKey.set(key, ids.add(headers['ce_id'] ?? ''));
  }
  return new Map([...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, ids]) => [key, [...ids]]));
}
