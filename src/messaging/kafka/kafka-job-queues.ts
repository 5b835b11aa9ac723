import type { JobQueues } from '../messaging.ts';
import { kafkaClient, type KafkaOptions } from './client.ts';
import { startConsumer } from './consumer.ts';
import { Pulse } from './pulse.ts';
import { Sender } from './sender.ts';

export interface KafkaJobQueuesOptions extends KafkaOptions {
  /** Prefix of the name of every topic and group; for tests that share a broker. */
  readonly prefix?: string;
  /** After how long the partitions of a consumer that was killed are assigned to others. */
  readonly sessionTimeoutMs?: number;
}

const SESSION_TIMEOUT_MS = 10_000;
/** Messages in one send. */
const BATCH = 500;

/** Job queues on Kafka: a queue is a topic, its consumers are a group of the same name. `setUpTopics` makes the topics. */
export function openKafkaJobQueues(options: KafkaJobQueuesOptions): JobQueues {
  const { prefix = '', sessionTimeoutMs = SESSION_TIMEOUT_MS, log } = options;
  const kafka = kafkaClient(options);
  const sender = new Sender(kafka);
  const pulse = new Pulse(kafka);
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
    ping: async () => await pulse.ping(),
    close: async () => {
      await Promise.all([sender.close(), pulse.close()]);
    },
  };
}
