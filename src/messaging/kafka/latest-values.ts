import { randomUUID } from 'node:crypto';
import type { Admin, Kafka } from 'kafkajs';
import { StoreUnavailable } from '../../store-unavailable.ts';
import { COORDINATOR_TIMEOUT_MS, isCoordinatorNotReady, retryUntil } from './retry.ts';
import { asUnavailable, kafkaClient, type KafkaOptions, untilDisconnected } from './client.ts';
import { GroupMember } from './group-member.ts';

const READ_TIMEOUT_MS = 600_000;

/** End offset (high watermark) by partition. */
type Ends = ReadonlyMap<number, bigint>;

/**
 * Returns the latest value of every key of a topic whose values are JSON; values that are not JSON are omitted. Returns nothing when
 * the topic does not exist.
 * @throws {StoreUnavailable}
 */
export async function readLatestValues(options: KafkaOptions, topic: string): Promise<readonly unknown[]> {
  const kafka = kafkaClient(options);
  try {
    const ends = await endsOf(kafka, topic);
    if (ends.size === 0) return [];
    const read = async (): Promise<readonly unknown[]> => await readUpTo(ends, kafka, topic);
    return await retryUntil(read, performance.now() + COORDINATOR_TIMEOUT_MS, isCoordinatorNotReady);
  } catch (error) {
    throw asUnavailable(error);
  }
}

async function endsOf(kafka: Kafka, topic: string): Promise<Ends> {
  const admin: Admin = kafka.admin();
  try {
    await admin.connect();
    if (!(await admin.listTopics()).includes(topic)) return new Map();
    const offsets = await admin.fetchTopicOffsets(topic);
    const filled = offsets.filter(({ low, high }) => BigInt(high) > BigInt(low));
    return new Map(filled.map(({ partition, high }) => [partition, BigInt(high)]));
  } finally {
    await untilDisconnected(admin.disconnect());
  }
}

async function readUpTo(ends: Ends, kafka: Kafka, topic: string): Promise<readonly unknown[]> {
  const values = new Map<string, unknown>();
  const missing = new Map(ends);
  const done = Promise.withResolvers<void>();
  // A new group reads from the start.
  const groupId = `${topic}.upgrade-${randomUUID()}`;
  const member = new GroupMember(kafka.consumer({ groupId, allowAutoTopicCreation: false, maxWaitTimeInMs: 200 }));
  const timer = setTimeout(() => {
    member.fail(new StoreUnavailable(`Kafka: the topic ${topic} was not read to its end within 10 minutes`));
  }, READ_TIMEOUT_MS);
  const consuming = member.consume(topic, async ({ batch }) => {
    for (const { key, value } of batch.messages) {
      const body = parseJson(value);
      if (key !== null && body !== undefined) values.set(key.toString(), body);
    }
    const end = missing.get(batch.partition) ?? 0n;
    if (BigInt(batch.lastOffset()) + 1n >= end) missing.delete(batch.partition);
    if (missing.size === 0) done.resolve();
    await Promise.resolve();
  });
  try {
    await Promise.race([done.promise, consuming]);
    return [...values.values()];
  } finally {
    clearTimeout(timer);
    await member.end();
  }
}

function parseJson(value: Buffer | null): unknown {
  try {
    return value === null ? undefined : JSON.parse(value.toString());
  } catch {
    return undefined;
  }
}
