import type { PublicEvents, PublicMessage } from '../messaging.ts';
import { StoreUnavailable } from '../../shared/store-unavailable.ts';
import { kafkaClient, type KafkaOptions, NO_TOPIC_LISTED } from './client.ts';
import { SharedAdmin } from './admin.ts';
import { Sender, type TopicBatch } from './sender.ts';

/** Below `max.message.bytes` (1 MiB by default), because the whole batch may go to one partition. */
const MAX_BATCH_BYTES = 800_000;
/** Kafka's overhead per message and per header: length fields of up to 5 bytes each. */
const MESSAGE_OVERHEAD_BYTES = 40;
const HEADER_OVERHEAD_BYTES = 10;

/** Opens public events on Kafka. It connects on first use and creates no topics; `setUpTopics` does. */
export function openKafkaPublicEvents(options: KafkaOptions): PublicEvents {
  const kafka = kafkaClient(options);
  const sender = new Sender(kafka);
  const admin = new SharedAdmin(kafka);
  return {
    publish: async (messages) => {
      for (const batch of batchesOf(messages)) await sender.send(byTopic(batch));
    },
    findMissing: async (topics) => {
      const existing = new Set(await admin.request(async (client) => await client.listTopics()));
      const missing = topics.filter((topic) => !existing.has(topic));
      // Kafka does not list topics on which the user has no right.
      if (options.security?.login !== undefined && missing.length > 0 && missing.length === topics.length)
        throw new StoreUnavailable(`Kafka: ${NO_TOPIC_LISTED}`);
      return missing;
    },
    close: async () => {
      await Promise.all([sender.close(), admin.close()]);
    },
  };
}

export function batchesOf(messages: readonly PublicMessage[], maxBytes = MAX_BATCH_BYTES): readonly PublicMessage[][] {
  const batches: PublicMessage[][] = [];
  let remaining = 0;
  for (const message of messages) {
    const size = sizeOf(message);
    const last = batches.at(-1);
    if (last === undefined || size > remaining) {
      batches.push([message]);
      remaining = maxBytes - size;
    } else {
      last.push(message);
      remaining -= size;
    }
  }
  return batches;
}

function sizeOf({ key, headers, value }: PublicMessage): number {
  const entries = Object.entries(headers);
  const contents = [key, value, ...entries.flat()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return contents + MESSAGE_OVERHEAD_BYTES + entries.length * HEADER_OVERHEAD_BYTES;
}

function byTopic(messages: readonly PublicMessage[]): TopicBatch[] {
  const topics = new Map<string, TopicBatch>();
  for (const { topic, key, headers, value } of messages) {
    const batch = topics.get(topic) ?? { topic, messages: [] };
    batch.messages.push({ key, headers: { ...headers }, value });
    topics.set(topic, batch);
  }
  return [...topics.values()];
}
