import { expect, test } from '@jest/globals';
import { openInMemoryJobQueues } from '#stores/messaging/in-memory/in-memory-job-queues.ts';
import { describeJobQueues } from './messaging.suite.ts';

describeJobQueues('in memory', async () => {
  const queues = openInMemoryJobQueues();
  return await Promise.resolve({ queues, dispose: async () => await queues.close() });
});

test('delivers an id once that is published again while it waits', async () => {
  const queues = openInMemoryJobQueues();
  await queues.publish('q', ['a', 'b']);
  await queues.publish('q', ['a']);
  const delivered: string[] = [];
  const consumer = queues.consume('q', {
    concurrency: 1,
    handle: async ({ jobId }) => {
      delivered.push(String(jobId));
      await Promise.resolve();
    },
  });
  while (delivered.length < 2) await new Promise(setImmediate);
  await consumer.stop();
  expect(delivered).toEqual(['a', 'b']);
});
