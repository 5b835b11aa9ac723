import type { PublicEvents, PublicMessage } from '../public-events.ts';
import { kafkaClient, type KafkaOptions } from './client.ts';
import { Pulse } from './pulse.ts';
import { Sender, type TopicBatch } from './sender.ts';

/** A broker takes 1 MiB for a partition at once, and all of these may go to one. Characters count, so half of it is left free. */
const MOST_CHARACTERS = 400_000;

/** Public events on Kafka. Nothing is connected before it is used; topics are made by `setUpTopics`, never here. */
export function openKafkaPublicEvents(options: KafkaOptions): PublicEvents {
  const kafka = kafkaClient(options);
  const sender = new Sender(kafka);
  const pulse = new Pulse(kafka);
  return {
    publish: async (messages) => {
      for (const part of partsOf(messages)) await sender.send(byTopic(part));
    },
    ping: async () => await pulse.ping(),
    close: async () => {
      await Promise.all([sender.close(), pulse.close()]);
    },
  };
}

/** The messages in parts that a broker takes at once, in their order. */
export function partsOf(messages: readonly PublicMessage[], most = MOST_CHARACTERS): readonly PublicMessage[][] {
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
  const words = Object.entries(headers).flat();
  return words.reduce((sum, word) => sum + word.length, key.length + value.length);
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
