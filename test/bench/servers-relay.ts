import { setTimeout as pause } from 'node:timers/promises';
import { Kafka, logLevel } from 'kafkajs';
import { pino } from 'pino';
import { openKafkaPublicEvents } from '#stores/messaging/kafka/kafka-public-events.ts';
import type { KafkaOptions } from '#stores/messaging/kafka/client.ts';
import type { PublicMessage } from '#stores/messaging/messaging.ts';
import { TRANSLATOR } from '../support/translator.ts';
import { publicEventsCheckpoint, startPublicEventRelay } from '#processes/relay/relay.ts';
import { appendSamples, policyActivated, policyImported } from '../support/sample-events.ts';
import { MemoryEventStore } from '../support/memory-event-store.ts';
import { openTemporaryRecords } from '#stores/records/sqlite/sqlite-records.ts';
import { compareRates, type Row } from './table.ts';

const POLICIES = 5_000;
const ROUNDS = 5;

/**
 * Measures the relay of public events from a log in memory against kafkajs sending the same batches with acks from all.
 */
export async function benchRelay(options: KafkaOptions): Promise<Row> {
  const eventStore = new MemoryEventStore();
  for (let policy = 1; policy <= POLICIES; policy += 1)
    await appendSamples(eventStore, policyImported(1, policy), policyActivated(1, policy), policyActivated(1, policy));
  const what = 'relay of public events to Kafka, against bare kafkajs with the same batches';
  return await compareRates(what, 'messages/s', { rounds: ROUNDS, warmUps: 1 }, async () => {
    const { batches, seconds } = await relayed(eventStore, options);
    const count = batches.reduce((sum, batch) => sum + batch.length, 0);
    return { surety: count / seconds, bare: count / (await sentBare(batches, options)) };
  });
}

/** Relays the whole log; returns the sent batches and the seconds. */
async function relayed(eventStore: MemoryEventStore, options: KafkaOptions) {
  const checkpoint = publicEventsCheckpoint(openTemporaryRecords());
  await checkpoint.save(undefined);
  const publicEvents = openKafkaPublicEvents(options);
  await publicEvents.findMissing([]);
  const batches: (readonly PublicMessage[])[] = [];
  const end = await eventStore.lastPosition();
  const level = Promise.withResolvers<void>();
  const start = performance.now();
  const relay = startPublicEventRelay({
    eventStore,
    checkpoint,
    translator: TRANSLATOR,
    publicEvents: {
      publish: async (messages) => {
        batches.push(messages);
        await publicEvents.publish(messages);
      },
    },
    relayMetrics: {
      recordProgress: (position) => {
        if (position === end) level.resolve();
      },
    },
    log: pino({ level: 'silent' }),
    now: () => new Date().toISOString(),
    pause: async (milliseconds, signal) => {
      await pause(milliseconds, undefined, { signal }).catch(() => undefined);
    },
  });
  await level.promise;
  const seconds = (performance.now() - start) / 1_000;
  await relay.stop();
  await publicEvents.close();
  return { batches, seconds };
}

/** Returns the seconds that the work took. */
async function sentBare(batches: readonly (readonly PublicMessage[])[], { brokers }: KafkaOptions): Promise<number> {
  const kafka = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING });
  const producer = kafka.producer({ idempotent: false, maxInFlightRequests: 1, allowAutoTopicCreation: false });
  await producer.connect();
  const ready = batches.map((batch) => {
    const topics = Map.groupBy(batch, ({ topic }) => topic);
    return [...topics].map(([topic, messages]) => ({
      topic,
      messages: messages.map(({ key, headers, value }) => ({ key, headers: { ...headers }, value })),
    }));
  });
  const start = performance.now();
  for (const topicMessages of ready) await producer.sendBatch({ topicMessages, acks: -1 });
  const seconds = (performance.now() - start) / 1_000;
  await producer.disconnect();
  return seconds;
}
