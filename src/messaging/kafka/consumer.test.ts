import { getEventListeners } from 'node:events';
import { afterEach, expect, jest, test } from '@jest/globals';
import type { ConsumerConfig } from 'kafkajs';
import { FakeConsumer, fakeKafka } from '../../../test/support/fake-kafka.ts';
import { startConsumer } from './consumer.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

function started(consumers: (config: ConsumerConfig) => FakeConsumer): ReturnType<typeof startConsumer> {
  return startConsumer({
    kafka: fakeKafka(consumers),
    topic: 't',
    group: 'g',
    sessionTimeoutMs: 10_000,
    now: () => '2026-03-01T10:00:00.000Z',
    lookAgainMs: 1_000,
    pauseAfterErrorMs: 1_000,
    concurrency: 1,
    handle: async () => await Promise.resolve({ kind: 'done' }),
    conclude: async () => await Promise.resolve(),
  });
}

test('given a consumer of jobs, then it makes no topic, begins with the first record and commits only what it says', async () => {
  let config: ConsumerConfig | undefined;
  const hasBegun = Promise.withResolvers<void>();
  const consumer = new FakeConsumer({ run: async () => await Promise.resolve(hasBegun.resolve()) });
  const running = started((given) => {
    config = given;
    return consumer;
  });
  await hasBegun.promise;
  await running.stop();
  expect(config).toMatchObject({ groupId: 'g', allowAutoTopicCreation: false });
  expect(await config?.retry?.restartOnFailure?.(new Error('any'))).toBe(false);
  expect(consumer.subscribedTo).toEqual({ topics: ['t'], fromBeginning: true });
  expect(consumer.ranWith).toMatchObject({ autoCommit: false });
});

test.each([
  ['connect', ['connect', 'disconnect', 'disconnect']],
  ['subscribe', ['connect', 'subscribe', 'disconnect', 'disconnect']],
  ['run', ['connect', 'subscribe', 'run', 'disconnect', 'disconnect']],
] as const)(
  'given a consumer that is stopped while it does %s, when that is over, then it leaves and does not go on',
  async (step, expected) => {
    const begun = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const held = async (): Promise<void> => {
      begun.resolve();
      await gate.promise;
    };
    const consumer = new FakeConsumer({ [step]: held });
    const running = started(() => consumer);
    await begun.promise;
    await running.stop();
    gate.resolve();
    // Nothing of it waits for more than promises.
    await new Promise(setImmediate);
    expect(consumer.steps).toEqual(expected);
  },
);

test('given members of the group that end one after the other, then none of them listens any more', async () => {
  const signals = new Set<AbortSignal>();
  const add = AbortSignal.prototype.addEventListener;
  jest.spyOn(AbortSignal.prototype, 'addEventListener').mockImplementation(function (this: AbortSignal, ...given) {
    signals.add(this);
    add.apply(this, given);
  });
  const enough = Promise.withResolvers<void>();
  let members = 0;
  const running = started(() => {
    members += 1;
    if (members === 4) enough.resolve();
    return new FakeConsumer({ connect: async () => await Promise.reject(new Error('not now')) });
  });
  await enough.promise;
  const listeners = [...signals].map((signal) => getEventListeners(signal, 'abort').length);
  expect(Math.max(...listeners)).toBeLessThanOrEqual(1);
  expect(running.check()).toContain('not now');
  await running.stop();
});
