import { setTimeout as pause } from 'node:timers/promises';
import type { Kafka, KafkaMessage } from 'kafkajs';
import { kafkaClient, type KafkaOptions, untilDisconnected } from '../../../src/messaging/kafka/client.ts';
import { ownName } from './kafka.ts';

const WITHIN_MS = 60_000;
const LOOK_AGAIN_MS = 200;

/** A message of a topic, in words. */
export interface Read {
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly value: string;
}

/**
 * Everything that stands in a topic now, by the order within its partitions.
 * @throws {Error} that names the partitions that are missing when it is not read in time
 */
export async function readTopic(options: KafkaOptions, topic: string): Promise<readonly Read[]> {
  const kafka = kafkaClient(options);
  const missing = await endsOf(kafka, topic);
  if (missing.size === 0) return [];
  /** By partition and offset: a consumer that begins anew reads again. */
  const read = new Map<string, Read>();
  let crash = '';
  const done = Promise.withResolvers<void>();
  // It may fail before anybody waits for it.
  done.promise.catch(() => undefined);
  const timer = setTimeout(() => {
    const partitions = [...missing].map(([partition, end]) => `${partition} to ${end}`).join(', ');
    done.reject(
      new Error(`${topic} is not read within ${WITHIN_MS / 1_000} s, partitions missing: ${partitions}${crash}`),
    );
  }, WITHIN_MS);
  const consumer = kafka.consumer({
    groupId: `${ownName()}reader`,
    allowAutoTopicCreation: false,
    maxWaitTimeInMs: 200,
  });
  // kafkajs begins anew by itself, as while a broker is making the topic of the offsets of its first group.
  consumer.on(consumer.events.CRASH, ({ payload: { restart, error } }) => {
    crash = `; last crash: ${error.message}`;
    if (!restart) done.reject(error);
  });
  try {
    await consumer.connect();
    await consumer.subscribe({ topics: [topic], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatch: async ({ batch }) => {
        await Promise.resolve();
        for (const message of batch.messages) read.set(`${batch.partition}/${message.offset}`, inWords(message));
        if (BigInt(batch.lastOffset()) + 1n >= (missing.get(batch.partition) ?? 0n)) missing.delete(batch.partition);
        if (missing.size === 0) done.resolve();
      },
    });
    await done.promise;
  } finally {
    clearTimeout(timer);
    await untilDisconnected(consumer.disconnect());
  }
  return [...read.values()];
}

/** The ends of the partitions that hold anything. Just after a start a broker may not lead yet what it is asked for. */
async function endsOf(kafka: Kafka, topic: string): Promise<Map<number, bigint>> {
  for (const end = performance.now() + WITHIN_MS; ; await pause(LOOK_AGAIN_MS)) {
    const admin = kafka.admin({ retry: { retries: 5 } });
    try {
      await admin.connect();
      const offsets = await admin.fetchTopicOffsets(topic);
      const filled = offsets.filter(({ low, high }) => low !== high);
      return new Map(filled.map(({ partition, high }) => [partition, BigInt(high)]));
    } catch (error) {
      if (!isRetriable(error) || performance.now() > end) throw error;
    } finally {
      await untilDisconnected(admin.disconnect());
    }
  }
}

/** Whether kafkajs says so, of the error or of what lies behind it. */
function isRetriable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (error as Error & { readonly retriable?: boolean }).retriable === true || isRetriable(error.cause);
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
