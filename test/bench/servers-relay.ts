import { setTimeout as pause } from 'node:timers/promises';
import { Kafka, logLevel } from 'kafkajs';
import { pino } from 'pino';
import { openKafkaPublicEvents } from '../../src/messaging/kafka/kafka-public-events.ts';
import type { KafkaOptions } from '../../src/messaging/kafka/client.ts';
import type { PublicMessage } from '../../src/messaging/public-events.ts';
import { publicEventsCheckpoint, startPublicEventRelay } from '../../src/processes/public-events/relay.ts';
import { happen, policyActivated, policyImported } from '../support/happenings.ts';
import { MemoryEventStore } from '../support/memory-event-store.ts';
import { MemoryRecords } from '../support/memory-records.ts';
import { median, type Row, rateRow } from './table.ts';

const POLICIES = 5_000;
const ROUNDS = 5;

/** The relay of public events over a log in memory, against bare kafkajs that sends the same batches, acknowledged by all. */
export async function benchRelay(options: KafkaOptions): Promise<Row> {
  const eventStore = new MemoryEventStore();
  for (let policy = 1; policy <= POLICIES; policy += 1)
    await happen(eventStore, policyImported(1, policy), policyActivated(1, policy), policyActivated(1, policy));
  const rates: { readonly surety: number[]; readonly bare: number[] } = { surety: [], bare: [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const { batches, seconds } = await relayed(eventStore, options);
    const count = batches.reduce((sum, batch) => sum + batch.length, 0);
    const bare = count / (await sentBare(batches, options));
    // The first round warms up.
    if (round === 0) continue;
    rates.surety.push(count / seconds);
    rates.bare.push(bare);
  }
  const what = 'relay of public events to Kafka, against bare kafkajs with the same batches';
  return rateRow(what, 'messages/s', median(rates.surety), median(rates.bare));
}

/** Relays the whole log; resolves with the batches that were sent and how long it took. */
async function relayed(eventStore: MemoryEventStore, options: KafkaOptions) {
  const checkpoint = publicEventsCheckpoint(new MemoryRecords());
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

/** Resolves with the seconds that it took. */
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
