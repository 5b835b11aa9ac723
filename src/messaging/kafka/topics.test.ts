import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { Admin } from 'kafkajs';
import { waitForTopics } from './topics.ts';

const PLAN = { topic: 't', partitions: 2, replication: 1 };

/** An administrator that tells of the topics after so many tries, each of which fails after a while. */
function slow(tries: number, failsAfterMs: number): { readonly admin: Admin; readonly asked: () => number } {
  let asked = 0;
  const fetchTopicMetadata = async (): Promise<object> => {
    asked += 1;
    if (asked > tries) return { topics: [{ name: 't', partitions: [{ replicas: [1] }, { replicas: [1] }] }] };
    await pause(failsAfterMs);
    throw new Error('not yet');
  };
  return { admin: { fetchTopicMetadata } as unknown as Admin, asked: () => asked };
}

test('given brokers that tell of a new topic late, then they are asked again', async () => {
  const { admin, asked } = slow(3, 1);
  expect(await waitForTopics(admin, [PLAN])).toEqual([PLAN]);
  expect(asked()).toBe(4);
});

test('given brokers that take long to say nothing, then the waiting ends when it is time all the same', async () => {
  const { admin, asked } = slow(Infinity, 500);
  await expect(waitForTopics(admin, [PLAN], 400)).rejects.toThrow('not yet');
  expect(asked()).toBe(1);
});
