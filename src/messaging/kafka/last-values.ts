import { randomUUID } from 'node:crypto';
import type { Admin, Kafka } from 'kafkajs';
import { StoreUnavailable } from '../../event-store/event-store.ts';
import { COORDINATOR_READY_WITHIN_MS, isCoordinatorNotReady, repeated } from './again.ts';
import { asUnavailable, kafkaClient, type KafkaOptions, untilDisconnected } from './client.ts';
import { GroupMember } from './group-member.ts';

const READ_WITHIN_MS = 600_000;

/** Partition → the offset behind its last message. */
type Ends = ReadonlyMap<number, bigint>;

/**
 * Reads a topic that carried whole jobs as JSON, under the job's id as key: the last value of every key. Empty where there is no
 * such topic; what is no JSON is left out.
 * @throws {StoreUnavailable}
 */
export async function readLastValues(options: KafkaOptions, topic: string): Promise<readonly unknown[]> {
  const kafka = kafkaClient(options);
  try {
    const ends = await endsOf(kafka, topic);
    if (ends.size === 0) return [];
    const read = async (): Promise<readonly unknown[]> => await valuesUpTo(ends, kafka, topic);
    return await repeated(read, performance.now() + COORDINATOR_READY_WITHIN_MS, isCoordinatorNotReady);
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** The ends of the partitions that hold messages. */
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

async function valuesUpTo(ends: Ends, kafka: Kafka, topic: string): Promise<readonly unknown[]> {
  const values = new Map<string, unknown>();
  const missing = new Map(ends);
  const done = Promise.withResolvers<void>();
  // A group of its own, so that it reads from the start.
  const groupId = `${topic}.upgrade-${randomUUID()}`;
  const member = new GroupMember(kafka.consumer({ groupId, allowAutoTopicCreation: false, maxWaitTimeInMs: 200 }));
  const timer = setTimeout(() => {
    member.fail(new StoreUnavailable(`Kafka: the topic ${topic} cannot be read to its end`));
  }, READ_WITHIN_MS);
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

/** The JSON of a message; undefined for one without a value or with another text. */
function parseJson(value: Buffer | null): unknown {
  try {
    return value === null ? undefined : JSON.parse(value.toString());
  } catch {
    return undefined;
  }
}
