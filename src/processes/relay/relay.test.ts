import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { alterFirst } from '#test/support/altered-event.ts';
import {
  appendSamples,
  type SampleEvent,
  policyActivated,
  policyImported,
  valueReserved,
} from '#test/support/sample-events.ts';
import { pointAt } from '#test/support/log-points.ts';
import { withPositionGaps } from '#test/support/sparse-event-store.ts';
import { MemoryEventStore } from '#test/support/memory-event-store.ts';
import type { Records } from '#stores/records/records.ts';
import { openTemporaryRecords } from '#stores/records/sqlite/sqlite-records.ts';
import { appendTo, type EventStore } from '#stores/event-log/event-log.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import type { PublicEvents, PublicMessage } from '#stores/messaging/messaging.ts';
import type { RunningProcess } from '../runtime/process.ts';
import { declarePublicEventMetrics } from './metrics.ts';
import { publicEventsCheckpoint, startPublicEventRelay, type TopicSetUp } from './relay.ts';
import { messageOf, TRANSLATOR } from '#test/support/translator.ts';
import { waitUntil } from '#test/support/wait-until.ts';

/** What becomes of a batch: how many of its messages get into the topic, and whether the sender hears that all did. */
interface Fate {
  readonly kept: number;
  readonly answered: boolean;
}

/** A broker that may store only a part of a batch and may lose its response. */
class Topic {
  readonly messages: PublicMessage[] = [];
  fates: Fate[] = [];

  async publish(messages: readonly PublicMessage[]): Promise<void> {
    await Promise.resolve();
    const fate = this.fates.shift();
    const kept = fate === undefined || fate.answered ? messages.length : Math.min(fate.kept, messages.length);
    this.messages.push(...messages.slice(0, kept));
    if (fate?.answered === false) throw new StoreUnavailable('Kafka: gone');
  }
}

const log = pino({ level: 'silent' });

function fixture() {
  const eventStore = new MemoryEventStore();
  const records = openTemporaryRecords();
  const topic = new Topic();
  const metrics = new Registry();
  const relayMetrics = declarePublicEventMetrics(metrics, eventStore);
  const checkpoint = publicEventsCheckpoint(records);
  const start = (
    followed: EventStore = eventStore,
    topicSetUp?: TopicSetUp,
    ownCheckpoint = checkpoint,
    publicEvents: Pick<PublicEvents, 'publish'> = topic,
  ): RunningProcess =>
    startPublicEventRelay({
      eventStore: followed,
      checkpoint: ownCheckpoint,
      publicEvents,
      translator: TRANSLATOR,
      relayMetrics,
      topicSetUp,
      log,
      now: () => '2026-03-01T10:00:00.000Z',
      pause: async (milliseconds, signal) => {
        await pause(Math.min(milliseconds, 1), undefined, { signal }).catch(() => undefined);
      },
    });
  const sentAll = async (): Promise<void> => {
    const end = await eventStore.lastPosition();
    const isTold = async (): Promise<boolean> =>
      (await metrics.getSingleMetricAsString('surety_public_events_position')).endsWith(` ${end}`);
    await waitUntil(async () => await isTold());
  };
  return { eventStore, records, topic, checkpoint, metrics, start, sentAll };
}

/** Ids in the order of their first occurrence, by key. */
function firstOccurrences(messages: readonly PublicMessage[]): Map<string, string[]> {
  const byKey = new Map<string, string[]>();
  for (const { key, headers } of messages) {
    const ids = byKey.get(key) ?? [];
    const id = headers['ce_id'] ?? '';
    if (!ids.includes(id)) ids.push(id);
    byKey.set(key, ids);
  }
  return byKey;
}

async function ofLog(eventStore: MemoryEventStore): Promise<Map<string, string[]>> {
  const events = await eventStore.readAll({ after: undefined, limit: 100_000 });
  return firstOccurrences(events.flatMap((event) => messageOf(event) ?? []));
}

const fate: fc.Arbitrary<Fate> = fc.record({ kept: fc.nat(6), answered: fc.boolean() });
const publicEvent: fc.Arbitrary<number> = fc.nat(3);

describe('The relay of public events', () => {
  test('publishes every event, first occurrences in order per key, despite faults and restarts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.array(publicEvent, { maxLength: 6 }), fc.array(fate, { maxLength: 3 }), fc.boolean()), {
          minLength: 1,
          maxLength: 6,
        }),
        async (steps) => {
          const { eventStore, topic, checkpoint, start, sentAll } = fixture();
          await checkpoint.save(undefined);
          let relay = start();
          const known = new Set<number>();
          for (const [policies, fates, restart] of steps) {
            topic.fates = [...fates];
            for (const policy of policies) {
              const what: SampleEvent = known.has(policy) ? policyActivated(1, policy) : policyImported(1, policy);
              known.add(policy);
              await appendSamples(eventStore, what, valueReserved(policy));
            }
            if (restart) {
              await relay.stop();
              relay = start();
            }
          }
          topic.fates = [];
          if ((await eventStore.lastPosition()) !== undefined) await sentAll();
          await relay.stop();
          expect(firstOccurrences(topic.messages)).toEqual(await ofLog(eventStore));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('publishes every event, first occurrences in order per key, when a relay that was frozen at any step wakes after another has taken over', async () => {
    for (let step = 1; step <= 8; step += 1) {
      const { eventStore, records, topic, checkpoint, start, sentAll } = fixture();
      await checkpoint.save(undefined);
      const frozen = Promise.withResolvers<void>();
      const wake = Promise.withResolvers<void>();
      let steps = 0;
      const freezeAtStep = async (): Promise<void> => {
        steps += 1;
        if (steps < step) return;
        frozen.resolve();
        await wake.promise;
      };
      const replaceValue = async (...values: Parameters<Records['replaceValue']>): Promise<boolean> => {
        await freezeAtStep();
        const isWritten = await records.replaceValue(...values);
        await freezeAtStep();
        return isWritten;
      };
      const publish = async (messages: readonly PublicMessage[]): Promise<void> => {
        await freezeAtStep();
        await topic.publish(messages);
        await freezeAtStep();
      };
      const reads = { getValue: records.getValue.bind(records), getRevised: records.getRevised.bind(records) };
      await appendSamples(eventStore, policyImported(1, 1), policyImported(1, 2));
      const first = start(eventStore, undefined, publicEventsCheckpoint({ ...reads, replaceValue }), { publish });
      await waitUntil(() => topic.messages.length > 0 || steps >= step);
      await appendSamples(eventStore, policyActivated(1, 1));
      await frozen.promise;
      await appendSamples(eventStore, policyActivated(1, 2));
      const second = start(eventStore, undefined, publicEventsCheckpoint(records));
      await sentAll();
      wake.resolve();
      await appendSamples(eventStore, policyImported(1, 3));
      await first.takenOver;
      await sentAll();
      await Promise.all([first.stop(), second.stop()]);
      expect(firstOccurrences(topic.messages)).toEqual(await ofLog(eventStore));
      expect((await checkpoint.read())?.position).toBe(await eventStore.lastPosition());
    }
  });

  test('stays at its start until the topics are set up', async () => {
    const { eventStore, topic, checkpoint, start, sentAll } = fixture();
    await checkpoint.save(undefined);
    // An event that is not public would move the checkpoint without Kafka.
    await appendSamples(eventStore, valueReserved(1), policyImported(1, 1));
    const topicSetUp: TopicSetUp = { failure: new StoreUnavailable('Kafka is away') };
    const relay = start(eventStore, topicSetUp);
    await waitUntil(() => relay.check() !== undefined);
    expect(await checkpoint.read()).toBeUndefined();
    topicSetUp.failure = undefined;
    await sentAll();
    expect(firstOccurrences(topic.messages)).toEqual(await ofLog(eventStore));
    await relay.stop();
  });

  test('publishes the events before one that it cannot decode, then stalls and reports it', async () => {
    const { eventStore, topic, checkpoint, start } = fixture();
    await checkpoint.save(undefined);
    await appendSamples(eventStore, policyImported(1, 1));
    const unknown = { id: '4c4c4c4c-0000-4000-8000-000000000001', type: 'PolicyExtended.v1', data: {}, metadata: {} };
    await appendTo(eventStore, 'policy-of-tomorrow', 'no_stream', [unknown]);
    await appendSamples(eventStore, policyImported(1, 2));
    const relay = start();
    await waitUntil(() => relay.check() !== undefined);
    await relay.stop();
    expect(relay.check()).toContain('failing since');
    expect(topic.messages).toHaveLength(1);
  });

  test('stalls before an event whose stream was altered, and publishes it once it is restored', async () => {
    const { eventStore, topic, checkpoint, start, sentAll } = fixture();
    await checkpoint.save(undefined);
    await appendSamples(eventStore, policyImported(1, 1), policyActivated(1, 1), policyImported(1, 2));
    const restore = alterFirst(eventStore, 'PolicyActivated.v1', { stream: 'qolicy-1' });
    const relay = start();
    await waitUntil(() => relay.check() !== undefined);
    expect(topic.messages).toHaveLength(1);
    restore();
    await sentAll();
    await relay.stop();
    expect(firstOccurrences(topic.messages)).toEqual(await ofLog(eventStore));
  });

  test.each<[string, number, RegExp]>([
    ['ends before its checkpoint', 2, /^checkpoint public-events is 4107, beyond the end of the log \(2007\)\. /],
  ])(
    'stalls and skips nothing on a log that was restored from an older copy and %s',
    async (_how, policies, sentence) => {
      const { eventStore, topic, checkpoint, start, metrics } = fixture();
      await checkpoint.save(pointAt(4_107n));
      for (let policy = 1; policy <= policies; policy += 1) await appendSamples(eventStore, policyImported(1, policy));
      const relay = start(withPositionGaps(eventStore));
      await waitUntil(() => relay.check() !== undefined);
      expect(relay.check()).toMatch(sentence);
      expect(relay.check()).toContain('runbook');
      for (let policy = 11; policy <= 16; policy += 1) await appendSamples(eventStore, policyImported(1, policy));
      await pause(20);
      expect(relay.check()).toMatch(/^checkpoint public-events is 4107/);
      await relay.stop();
      expect(topic.messages).toEqual([]);
      expect(await checkpoint.read()).toEqual(pointAt(4_107n));
      expect(await metrics.getSingleMetricAsString('surety_public_events_sent_total')).toMatch(/ 0$/);
    },
  );
});
