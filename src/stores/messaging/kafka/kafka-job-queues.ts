import type { JobQueues } from '../messaging.ts';
import { kafkaClient, type KafkaOptions } from './client.ts';
import { startConsumer } from './consumer.ts';
import { SharedAdmin } from './admin.ts';
import { Sender } from './sender.ts';

interface KafkaJobQueuesOptions extends KafkaOptions {
  /** Prefix of every topic and group name; for tests that share a broker. */
  readonly prefix?: string;
  readonly sessionTimeoutMs?: number;
}

const SESSION_TIMEOUT_MS = 10_000;
const BATCH = 500;

/**
 * Opens job queues on Kafka: a queue is a topic, and its consumers are a group of the same name. `setUpTopics` creates
 * the topics.
 */
export function openKafkaJobQueues(options: KafkaJobQueuesOptions): JobQueues {
  const { prefix = '', sessionTimeoutMs = SESSION_TIMEOUT_MS, log } = options;
  const kafka = kafkaClient(options);
  const sender = new Sender(kafka);
  const admin = new SharedAdmin(kafka);
  return {
    publish: async (queue, jobIds) => {
      for (let from = 0; from < jobIds.length; from += BATCH) {
        const ids = jobIds.slice(from, from + BATCH);
        const messages = ids.map((jobId) => ({ key: jobId, value: JSON.stringify({ jobId }) }));
        await sender.send([{ topic: prefix + queue, messages }]);
      }
    },
    consume: (queue, consumeOptions) => {
      const topic = prefix + queue;
      return startConsumer({ ...consumeOptions, kafka, topic, group: topic, sessionTimeoutMs, log });
    },
    ping: async () => await admin.ping(),
    close: async () => {
      await Promise.all([sender.close(), admin.close()]);
    },
  };
}
