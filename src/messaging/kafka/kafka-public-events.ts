import type { PublicEvents, PublicMessage } from '../public-events.ts';
import { kafkaClient, type KafkaOptions } from './client.ts';
import { Pulse } from './pulse.ts';
import { Sender, type TopicBatch } from './sender.ts';

/** A broker takes 1 MiB for a partition at once, unless it is set up otherwise, and all of these may go to one. */
const MOST_BYTES = 800_000;
/** What the log needs for a message beside its contents, and for each header: lengths, of which each has 5 bytes at most. */
const BYTES_OF_A_MESSAGE = 40;
const BYTES_OF_A_HEADER = 10;

/** Public events on Kafka. Nothing is connected before it is used; topics are made by `setUpTopics`, never here. */
export function openKafkaPublicEvents(options: KafkaOptions): PublicEvents {
  const kafka = kafkaClient(options);
  const sender = new Sender(kafka);
  const pulse = new Pulse(kafka);
  return {
    publish: async (messages) => {
      for (const part of partsOf(messages)) await sender.send(byTopic(part));
    },
    findMissing: async (topics) => {
      const existing = new Set(await pulse.ask(async (admin) => await admin.listTopics()));
      return topics.filter((topic) => !existing.has(topic));
    },
    close: async () => {
      await Promise.all([sender.close(), pulse.close()]);
    },
  };
}

/** The messages in parts that a broker takes at once, in their order. */
export function partsOf(messages: readonly PublicMessage[], most = MOST_BYTES): readonly PublicMessage[][] {
  const parts: PublicMessage[][] = [];
  let room = 0;
  for (const message of messages) {
    const size = sizeOf(message);
    const last = parts.at(-1);
    if (last === undefined || size > room) {
      parts.push([message]);
      room = most - size;
    } else {
      last.push(message);
      room -= size;
    }
  }
  return parts;
}

function sizeOf({ key, headers, value }: PublicMessage): number {
  const words = Object.entries(headers);
  const contents = [key, value, ...words.flat()].reduce((sum, word) => sum + Buffer.byteLength(word), 0);
  return contents + BYTES_OF_A_MESSAGE + words.length * BYTES_OF_A_HEADER;
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
