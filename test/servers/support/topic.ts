import type { Kafka, KafkaMessage } from 'kafkajs';
import { hasErrorType, kafkaClient, type KafkaOptions, untilDisconnected } from '#stores/messaging/kafka/client.ts';
import { retryFor } from '#stores/shared/timing.ts';
import { uniqueName } from './kafka.ts';

const TIMEOUT_MS = 60_000;
/** Within this time a broker that has just started loads its group coordinator. */
const COORDINATOR_TIMEOUT_MS = 15_000;
const COORDINATOR_NOT_READY = [
  'GROUP_LOAD_IN_PROGRESS',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'NOT_COORDINATOR_FOR_GROUP',
];

/** A decoded message. */
export interface TopicMessage {
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly value: string;
}

/**
 * Reads all current messages of a topic, ordered within partitions. Waits for a coordinator of groups: a new broker has
 * none at first.
 * @throws {Error} with the unread partitions on timeout
 */
export async function readTopic(options: KafkaOptions, topic: string): Promise<readonly TopicMessage[]> {
  const read = async (): Promise<readonly TopicMessage[]> => await readOnce(options, topic);
  return await retryFor(COORDINATOR_TIMEOUT_MS, read, isCoordinatorNotReady);
}

function isCoordinatorNotReady(error: unknown): boolean {
  // kafkajs throws this error without a type when no broker has named a coordinator within the client's retries.
  const isNotFound = error instanceof Error && error.name === 'KafkaJSGroupCoordinatorNotFound';
  return isNotFound || hasErrorType(error, COORDINATOR_NOT_READY);
}

async function readOnce(options: KafkaOptions, topic: string): Promise<readonly TopicMessage[]> {
  const kafka = kafkaClient(options);
  const missing = await endsOf(kafka, topic);
  if (missing.size === 0) return [];
  /** By partition and offset, because a restarted consumer reads messages again. */
  const read = new Map<string, TopicMessage>();
  let crash = '';
  const done = Promise.withResolvers<void>();
  // The promise may be rejected before it is awaited.
  done.promise.catch(() => undefined);
  const timer = setTimeout(() => {
    const partitions = [...missing].map(([partition, end]) => `${partition} to ${end}`).join(', ');
    done.reject(
      new Error(`${topic} was not read within ${TIMEOUT_MS / 1_000} s, partitions missing: ${partitions}${crash}`),
    );
  }, TIMEOUT_MS);
  const consumer = kafka.consumer({
    groupId: `${uniqueName()}reader`,
    allowAutoTopicCreation: false,
    maxWaitTimeInMs: 200,
  });
  // kafkajs restarts automatically, for example while the broker creates the topic of consumer offsets.
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
        for (const message of batch.messages) read.set(`${batch.partition}/${message.offset}`, toTopicMessage(message));
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

/**
 * Returns the end offsets of non-empty partitions. Retries: just after its start a broker may not lead its partitions
 * yet.
 */
async function endsOf(kafka: Kafka, topic: string): Promise<Map<number, bigint>> {
  const read = async (): Promise<Map<number, bigint>> => {
    const admin = kafka.admin({ retry: { retries: 5 } });
    try {
      await admin.connect();
      const offsets = await admin.fetchTopicOffsets(topic);
      const filled = offsets.filter(({ low, high }) => low !== high);
      return new Map(filled.map(({ partition, high }) => [partition, BigInt(high)]));
    } finally {
      await untilDisconnected(admin.disconnect());
    }
  };
  return await retryFor(TIMEOUT_MS, read, isRetriable);
}

/** Returns whether kafkajs marks the error or its cause as retriable. */
function isRetriable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (error as Error & { readonly retriable?: boolean }).retriable === true || isRetriable(error.cause);
}

function toTopicMessage({ key, headers = {}, value }: KafkaMessage): TopicMessage {
  const texts = Object.entries(headers).map(([name, text]) => [name, String(text)]);
  return { key: String(key), headers: Object.fromEntries(texts), value: String(value) };
}

/** Returns the `ce_id`s by key, in the order of their first occurrence. */
export function firstOccurrences(
  messages: readonly Pick<TopicMessage, 'key' | 'headers'>[],
): ReadonlyMap<string, readonly string[]> {
  const byKey = new Map<string, Set<string>>();
  for (const { key, headers } of messages) {
    const ids = byKey.get(key) ?? new Set<string>();
    byKey.set(key, ids.add(headers['ce_id'] ?? ''));
  }
  return new Map([...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, ids]) => [key, [...ids]]));
}
