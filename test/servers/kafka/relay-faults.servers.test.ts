import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { EventStore } from '../../../src/event-store/event-store.ts';
import { openSqliteEventStore } from '../../../src/event-store/sqlite/sqlite-event-store.ts';
import { openKafkaPublicEvents } from '../../../src/messaging/kafka/kafka-public-events.ts';
import { setUpTopics } from '../../../src/messaging/kafka/topics.ts';
import { declarePublicEventMetrics } from '../../../src/processes/public-events/metrics.ts';
import { publicEventsCheckpoint, startPublicEventRelay } from '../../../src/processes/public-events/relay.ts';
import { messageOf } from '../../../src/processes/public-events/translate.ts';
import { topicPlans } from '../../../src/composition/kafka-topics.ts';
import { temporaryFolder } from '../../ports/support/temporary-folder.ts';
import { appendSamples, policyActivated, policyImported } from '../../support/sample-events.ts';
import { MemoryEventStore } from '../../support/memory-event-store.ts';
import { MemoryRecords } from '../../support/memory-records.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { Broker } from '../support/broker.ts';
import { describeOwnServers } from '../support/own-servers.ts';
import { firstOccurrences, readTopic } from '../support/topic.ts';

const TOPIC = 'surety.policies.v1';
const CHILD = fileURLToPath(new URL('relay-process.ts', import.meta.url));

async function messagesOfLog(eventStore: EventStore): Promise<ReturnType<typeof firstOccurrences>> {
  const events = await eventStore.readAll({ after: undefined, limit: 10_000_000 });
  return firstOccurrences(events.flatMap((event) => messageOf(event) ?? []));
}

describeOwnServers(['KAFKA_BROKERS'], 'Relay of public events on a broker that fails', () => {
  let broker: Broker;
  beforeAll(async () => {
    broker = await Broker.start();
    await setUpTopics(broker.options, topicPlans({ partitions: 4, replication: 1 }));
  });
  afterAll(async () => {
    await broker.dispose();
  });

  test.each<[string, () => void | Promise<void>, () => void | Promise<void>]>([
    ['killed', async () => await broker.kill(), async () => await broker.start()],
    ['frozen', () => broker.freeze(), () => broker.thaw()],
  ])(
    'publishes every event, in order per key, after the broker was %s for 10 s under load',
    async (_how, interrupt, restore) => {
      const eventStore = new MemoryEventStore();
      const checkpoint = publicEventsCheckpoint(new MemoryRecords());
      await checkpoint.save(undefined);
      const metrics = new Registry();
      const publicEvents = openKafkaPublicEvents(broker.options);
      const relay = startPublicEventRelay({
        eventStore,
        checkpoint,
        publicEvents,
        relayMetrics: declarePublicEventMetrics(metrics, eventStore),
        log: pino({ level: 'silent' }),
        now: () => new Date().toISOString(),
        pause: async (milliseconds, signal) => {
          await pause(milliseconds, undefined, { signal }).catch(() => undefined);
        },
      });
      const metric = async (name: string): Promise<number> =>
        Number((await metrics.getSingleMetricAsString(`surety_public_events_${name}`)).split(' ').at(-1));
      let policy = 0;
      const load = async (milliseconds: number): Promise<void> => {
        for (const end = Date.now() + milliseconds; Date.now() < end; await pause(5)) {
          policy += 1;
          await appendSamples(
            eventStore,
            policyImported(1, policy),
            policyActivated(1, policy),
            policyActivated(1, policy),
          );
        }
      };
      await load(2_000);
      expect(await metric('position')).toBeGreaterThan(0);
      await interrupt();
      await load(11_000);
      expect(relay.check()).toContain('failing since');
      expect(await metric('lag')).toBeGreaterThan(100);
      await restore();
      await load(1_000);
      await waitUntil(
        async () => (await metric('lag')) === 0,
        async () => `the lag is ${await metric('lag')}; the relay ${relay.check() ?? 'is healthy'}`,
      );
      expect(relay.check()).toBeUndefined();
      await relay.stop();
      await publicEvents.close();
      const published = await readTopic(broker.options, TOPIC);
      const expected = await messagesOfLog(eventStore);
      const own = published.filter(({ key }) => expected.has(key));
      expect(firstOccurrences(own)).toEqual(expected);
    },
  );

  test('publishes every event, first occurrences in order, although the relay is killed again and again', async () => {
    const { folder, remove } = temporaryFolder();
    const start = (mode: string): ChildProcess =>
      spawn(process.execPath, [CHILD, folder, broker.options.brokers.join(','), mode], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
    try {
      for (let kills = 0; kills < 5; kills++) {
        const child = start('load');
        if (child.stdout !== null) await once(child.stdout, 'data');
        await pause(400 + 211 * kills);
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      const [code] = (await once(start('drain'), 'exit')) as [number];
      expect(code).toBe(0);
      const eventStore = openSqliteEventStore({ file: join(folder, 'events.db') });
      const expected = await messagesOfLog(eventStore);
      await eventStore.close();
      const published = (await readTopic(broker.options, TOPIC)).filter(({ key }) => expected.has(key));
      expect(firstOccurrences(published)).toEqual(expected);
      expect(expected.size).toBeGreaterThan(20);
    } finally {
      remove();
    }
  });
});
