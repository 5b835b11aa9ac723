import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { StoreUnavailable } from '../../event-store/event-store.ts';
import { startConsumer } from './consumer.ts';
import type { JobStore } from './job-store.ts';

const QUEUE = 'surety.jobs.test.v1';
const NOW = '2026-03-01T10:00:00.000Z';

async function until(met: () => boolean): Promise<void> {
  while (!met()) await pause(5);
}

test('given a store that can be read but not written, then a job is done once, tried to be concluded with rests, and told of', async () => {
  let full = true;
  let handed = 0;
  let tries = 0;
  const waiting = new Map([['a', { id: 'a', body: null, edition: 1 }]]);
  const store: JobStore = {
    due: () => [...waiting.values()],
    next: () => [...waiting.keys()].map((id) => ({ id, due: NOW })),
    count: () => waiting.size,
    conclude: (_, { id }) => {
      tries += 1;
      if (full) throw new StoreUnavailable('disk full');
      waiting.delete(id);
    },
  };
  const consumer = startConsumer({
    queue: QUEUE,
    store,
    taken: new Set(),
    news: new EventEmitter(),
    now: () => NOW,
    lookAgainMs: 20,
    pauseAfterErrorMs: 20,
    concurrency: 2,
    handle: async () => {
      handed += 1;
      return await Promise.resolve({ kind: 'done' });
    },
  });
  await pause(110);
  expect(tries).toBeGreaterThan(1);
  expect(tries).toBeLessThan(10);
  expect(handed).toBe(1);
  expect(consumer.check()).toBe('the job store fails; it is tried again');

  full = false;
  await until(() => waiting.size === 0);
  await until(() => consumer.check() === undefined);
  expect(handed).toBe(1);
  await consumer.stop();
});

test('given a job that cannot be concluded, when the consumer is stopped, then it stops at once', async () => {
  let tries = 0;
  const store: JobStore = {
    due: () => [{ id: 'a', body: null, edition: 1 }],
    next: () => [],
    count: () => 1,
    conclude: () => {
      tries += 1;
      throw new StoreUnavailable('disk full');
    },
  };
  const consumer = startConsumer({
    queue: QUEUE,
    store,
    taken: new Set(),
    news: new EventEmitter(),
    now: () => NOW,
    lookAgainMs: 60_000,
    pauseAfterErrorMs: 60_000,
    concurrency: 1,
    handle: async () => await Promise.resolve({ kind: 'done' }),
  });
  await until(() => tries === 1);
  await consumer.stop();
  expect(tries).toBe(1);
});
