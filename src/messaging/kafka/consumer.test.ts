import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { ConsumerConfig, EachBatchPayload, OffsetsByTopicPartition } from 'kafkajs';
import { FakeConsumer, fakeKafka } from '../../../test/support/fake-kafka.ts';
import type { JobMessage } from '../messaging.ts';
import { type ConsumerOptions, startConsumer } from './consumer.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

function started(
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
  const running = started((given) => {
    config = given;
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
  const held = async (): Promise<void> => {
    reached.resolve();
    await gate.promise;
  };
  const consumer = new FakeConsumer({ [step]: held });
  const running = started(() => consumer);
  await reached.promise;
  await running.stop();
  gate.resolve();
  // Nothing of it waits for more than promises.
  await new Promise(setImmediate);
  expect(consumer.steps).toEqual(expected);
});

test('replaces members that fail, removes their listeners and logs the reason once', async () => {
  const signals = new Set<AbortSignal>();
  const add = AbortSignal.prototype.addEventListener;
  jest.spyOn(AbortSignal.prototype, 'addEventListener').mockImplementation(function (this: AbortSignal, ...given) {
    signals.add(this);
    add.apply(this, given);
  });
  const enough = Promise.withResolvers<void>();
  let members = 0;
  const warn = jest.fn();
  const log = { warn, debug: jest.fn() };
  const failing = () => {
    members += 1;
    if (members === 4) enough.resolve();
    return new FakeConsumer({ connect: async () => await Promise.reject(new Error('not now')) });
  };
  const running = started(failing, { log });
  await enough.promise;
  const listeners = [...signals].map((signal) => getEventListeners(signal, 'abort').length);
  expect(Math.max(...listeners)).toBeLessThanOrEqual(1);
  expect(running.check()).toContain('not now');
  expect(warn.mock.calls).toEqual([[{ topic: 't', reason: 'not now' }, expect.stringContaining('will retry')]]);
  await running.stop();
});

/** A batch of partition 0 from offset 0, and what is done with it. */
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

  /** What takes the batches of a member that has joined, given this handler. */
  async function taking(rest: Partial<ConsumerOptions>): Promise<(payload: EachBatchPayload) => Promise<void>> {
    const isInitialised = Promise.withResolvers<void>();
    const consumer = new FakeConsumer({ run: async () => await Promise.resolve(isInitialised.resolve()) });
    running = started(() => consumer, rest);
    await isInitialised.promise;
    return async (payload) => await consumer.runConfig?.eachBatch?.(payload);
  }

  test('commits its offset after every message was handled, whatever the results were', async () => {
    const handled: JobMessage[] = [];
    const take = await taking({
      handle: async (message) => {
        handled.push(message);
        await Promise.reject(new Error('not now'));
      },
    });
    const { payload, committed } = batchOf(['a', null, '']);
    await take(payload);
    expect(handled).toEqual([
      { jobId: 'a', location: { partition: 0, offset: '0' } },
      { jobId: undefined, location: { partition: 0, offset: '1' } },
      { jobId: undefined, location: { partition: 0, offset: '2' } },
    ]);
    expect(committed).toEqual(['3']);
  });

  test('handles up to `concurrency` messages at once', async () => {
    const gate = Promise.withResolvers<void>();
    let [now, most] = [0, 0];
    const take = await taking({
      concurrency: 2,
      handle: async () => {
        most = Math.max(most, ++now);
        if (now === 2) gate.resolve();
        await gate.promise;
        now -= 1;
      },
    });
    await take(batchOf(['a', 'b', 'c', 'd']).payload);
    expect(most).toBe(2);
  });

  test('is left uncommitted when its member is stopped', async () => {
    const gate = Promise.withResolvers<void>();
    let handled = 0;
    const take = await taking({
      handle: async () => {
        handled += 1;
        await gate.promise;
      },
    });
    const { payload, committed } = batchOf(['a', 'b']);
    const taken = take(payload);
    const stopped = running?.stop();
    gate.resolve();
    await Promise.all([taken, stopped]);
    expect([handled, committed]).toEqual([1, []]);
  });

  test('is left to another member when a heartbeat reports a rebalance', async () => {
    let handled = 0;
    const lost = Promise.withResolvers<void>();
    const take = await taking({
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
    await expect(take(payload)).rejects.toThrow('rebalancing');
    expect([handled, committed]).toEqual([1, []]);
  });
});
