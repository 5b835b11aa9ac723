import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { ConsumerConfig, EachBatchPayload, OffsetsByTopicPartition } from 'kafkajs';
import { FakeConsumer, fakeKafka } from '#test/support/fake-kafka.ts';
import type { JobMessage } from '../messaging.ts';
import { type ConsumerOptions, startConsumer } from './consumer.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

function startTestConsumer(
  consumers: (config: ConsumerConfig) => FakeConsumer,
  rest: Partial<ConsumerOptions> = {},
): ReturnType<typeof startConsumer> {
  return startConsumer({
    kafka: fakeKafka(consumers),
    topic: 't',
    group: 'g',
    sessionTimeoutMs: 10_000,
    concurrency: 1,
    handle: async () => await Promise.resolve(),
    ...rest,
  });
}

test('creates no topic, starts with the first record and commits only explicitly', async () => {
  let config: ConsumerConfig | undefined;
  const isInitialised = Promise.withResolvers<void>();
  const consumer = new FakeConsumer({ run: async () => await Promise.resolve(isInitialised.resolve()) });
  const running = startTestConsumer((args) => {
    config = args;
    return consumer;
  });
  await isInitialised.promise;
  await running.stop();
  expect(config).toMatchObject({ groupId: 'g', allowAutoTopicCreation: false });
  expect(await config?.retry?.restartOnFailure?.(new Error('any'))).toBe(false);
  expect(consumer.subscription).toEqual({ topics: ['t'], fromBeginning: true });
  expect(consumer.runConfig).toMatchObject({ autoCommit: false });
});

test.each([
  ['connect', ['connect', 'disconnect', 'disconnect']],
  ['subscribe', ['connect', 'subscribe', 'disconnect', 'disconnect']],
  ['run', ['connect', 'subscribe', 'run', 'disconnect', 'disconnect']],
] as const)('leaves the group when it is stopped during %s', async (step, expected) => {
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const waitAtGate = async (): Promise<void> => {
    reached.resolve();
    await gate.promise;
  };
  const consumer = new FakeConsumer({ [step]: waitAtGate });
  const running = startTestConsumer(() => consumer);
  await reached.promise;
  await running.stop();
  gate.resolve();
  // The consumer waits for nothing but promises.
  await new Promise(setImmediate);
  expect(consumer.steps).toEqual(expected);
});

test('replaces members that fail, removes their listeners and logs the reason once', async () => {
  const signals = new Set<AbortSignal>();
  const add = AbortSignal.prototype.addEventListener;
  jest.spyOn(AbortSignal.prototype, 'addEventListener').mockImplementation(function (this: AbortSignal, ...args) {
    signals.add(this);
    add.apply(this, args);
  });
  const fourMembers = Promise.withResolvers<void>();
  let members = 0;
  const warn = jest.fn();
  const log = { warn, debug: jest.fn() };
  const createFailingConsumer = () => {
    members += 1;
    if (members === 4) fourMembers.resolve();
    return new FakeConsumer({ connect: async () => await Promise.reject(new Error('not now')) });
  };
  const running = startTestConsumer(createFailingConsumer, { log });
  await fourMembers.promise;
  const listeners = [...signals].map((signal) => getEventListeners(signal, 'abort').length);
  expect(Math.max(...listeners)).toBeLessThanOrEqual(1);
  expect(running.check()).toContain('not now');
  expect(warn.mock.calls).toEqual([[{ topic: 't', reason: 'not now' }, expect.stringContaining('will retry')]]);
  await running.stop();
});

/** Creates a batch of partition 0 from offset 0, and records the committed offsets. */
function batchOf(
  keys: readonly (string | null)[],
  heartbeat: () => Promise<void> = async () => await Promise.resolve(),
) {
  const messages = keys.map((key, offset) => ({ key: key && Buffer.from(key), value: null, offset: String(offset) }));
  const committed: (string | undefined)[] = [];
  const batch = { topic: 't', partition: 0, messages, lastOffset: () => String(keys.length - 1) };
  const payload = {
    batch,
    heartbeat,
    commitOffsetsIfNecessary: async (offsets: OffsetsByTopicPartition) => {
      committed.push(offsets.topics[0]?.partitions[0]?.offset);
      await Promise.resolve();
    },
  } as unknown as EachBatchPayload;
  return { payload, committed };
}

describe('a batch', () => {
  let running: ReturnType<typeof startConsumer> | undefined;
  afterEach(async () => await running?.stop());

  /** Starts a consumer and returns its batch handler once it has joined the group. */
  async function startBatchHandler(
    rest: Partial<ConsumerOptions>,
  ): Promise<(payload: EachBatchPayload) => Promise<void>> {
    const isInitialised = Promise.withResolvers<void>();
    const consumer = new FakeConsumer({ run: async () => await Promise.resolve(isInitialised.resolve()) });
    running = startTestConsumer(() => consumer, rest);
    await isInitialised.promise;
    return async (payload) => await consumer.runConfig?.eachBatch?.(payload);
  }

  test('commits its offset after every message was handled, whatever the results were', async () => {
    const handled: JobMessage[] = [];
    const handleBatch = await startBatchHandler({
      handle: async (message) => {
        handled.push(message);
        await Promise.reject(new Error('not now'));
      },
    });
    const { payload, committed } = batchOf(['a', null, '']);
    await handleBatch(payload);
    expect(handled).toEqual([
      { jobId: 'a', location: { partition: 0, offset: '0' } },
      { jobId: undefined, location: { partition: 0, offset: '1' } },
      { jobId: undefined, location: { partition: 0, offset: '2' } },
    ]);
    expect(committed).toEqual(['3']);
  });

  test('handles up to `concurrency` messages at once', async () => {
    const gate = Promise.withResolvers<void>();
    let [current, maximum] = [0, 0];
    const handleBatch = await startBatchHandler({
      concurrency: 2,
      handle: async () => {
        maximum = Math.max(maximum, ++current);
        if (current === 2) gate.resolve();
        await gate.promise;
        current -= 1;
      },
    });
    await handleBatch(batchOf(['a', 'b', 'c', 'd']).payload);
    expect(maximum).toBe(2);
  });

  test('is left uncommitted when its member is stopped', async () => {
    const gate = Promise.withResolvers<void>();
    let handled = 0;
    const handleBatch = await startBatchHandler({
      handle: async () => {
        handled += 1;
        await gate.promise;
      },
    });
    const { payload, committed } = batchOf(['a', 'b']);
    const handling = handleBatch(payload);
    const stopped = running?.stop();
    gate.resolve();
    await Promise.all([handling, stopped]);
    expect([handled, committed]).toEqual([1, []]);
  });

  test('is left to another member when a heartbeat reports a rebalance', async () => {
    let handled = 0;
    const lost = Promise.withResolvers<void>();
    const handleBatch = await startBatchHandler({
      sessionTimeoutMs: 5,
      handle: async () => {
        handled += 1;
        await lost.promise;
      },
    });
    const heartbeat = async (): Promise<void> => {
      lost.resolve();
      await Promise.reject(new Error('rebalancing'));
    };
    const { payload, committed } = batchOf(['a', 'b'], heartbeat);
    await expect(handleBatch(payload)).rejects.toThrow('rebalancing');
    expect([handled, committed]).toEqual([1, []]);
  });
});
