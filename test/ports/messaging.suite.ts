import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { JobConsumer, JobMessage, JobQueues } from '#stores/messaging/messaging.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Empty job queues under test. */
export interface JobQueuesSubject {
  readonly queues: JobQueues;
  dispose(): Promise<void>;
}

const QUEUE = 'surety.jobs.test.v1';
/** Below jest's timeout, so that the error gives the reason. */
const WITHIN_MS = 40_000;

/** Checks what every store of job queues must do. Every adapter passes this unchanged. */
export function describeJobQueues(name: string, open: () => Promise<JobQueuesSubject>): void {
  describe(`Job queues: ${name}`, () => {
    let subject: JobQueuesSubject;
    let queues: JobQueues;
    let consumers: JobConsumer[];
    /** Delivered job ids in their order. */
    let delivered: (string | undefined)[];
    beforeEach(async () => {
      subject = await open();
      queues = subject.queues;
      [consumers, delivered] = [[], []];
    });
    afterEach(async () => {
      await stopAll();
      await subject?.dispose();
    });

    const consume = (handle: (message: JobMessage) => Promise<void> | void = () => {}, concurrency = 1): void => {
      const consumer = queues.consume(QUEUE, {
        concurrency,
        handle: async (message) => {
          delivered.push(message.jobId);
          await handle(message);
        },
      });
      consumers.push(consumer);
    };
    const stopAll = async (): Promise<void> => {
      await Promise.all(consumers.splice(0).map(async (consumer) => await consumer.stop()));
    };
    const waitFor = async (condition: () => boolean): Promise<void> => {
      const state = (): object => ({ delivered, consumers: consumers.map((consumer) => consumer.check() ?? 'well') });
      await waitUntil(condition, state, WITHIN_MS);
    };
    const waitForAll = (...ids: string[]) => waitFor(() => ids.every((id) => delivered.includes(id)));

    test('delivers ids published before and after the start of the consumer', async () => {
      await queues.publish(QUEUE, ['a']);
      consume();
      await waitForAll('a');
      await queues.publish(QUEUE, ['b', 'c']);
      await waitForAll('a', 'b', 'c');
      expect([delivered.length, new Set(delivered).size]).toEqual([3, 3]);
    });

    test('does not deliver ids of another queue', async () => {
      await queues.publish('surety.jobs.other.v1', ['x']);
      consume();
      await queues.publish(QUEUE, ['a']);
      await waitForAll('a');
      expect(delivered).toEqual(['a']);
    });

    test('delivers a delivered id again when it is published again', async () => {
      consume();
      for (const count of [1, 2]) {
        await queues.publish(QUEUE, ['a']);
        await waitFor(() => delivered.length === count);
      }
    });

    test('delivers an id once more that is published while it is handled', async () => {
      consume(async () => {
        if (delivered.length === 1) await queues.publish(QUEUE, ['a']);
      });
      await queues.publish(QUEUE, ['a']);
      await waitFor(() => delivered.length === 2);
    });

    test('continues with the next message when the handler throws', async () => {
      consume(() => {
        throw new Error('not now');
      });
      await queues.publish(QUEUE, ['a', 'b']);
      await waitForAll('a', 'b');
      await stopAll();
      consume();
      await queues.publish(QUEUE, ['c']);
      await waitForAll('c');
      expect(delivered.filter((id) => id === 'a')).toHaveLength(1);
    });

    test('delivers every id to one of several consumers', async () => {
      for (let count = 0; count < 3; count++) consume(() => {}, 2);
      await waitFor(() => consumers.every((consumer) => consumer.check() === undefined));
      const ids = Array.from({ length: 60 }, (_, index) => `job-${index}`);
      await queues.publish(QUEUE, ids);
      await waitForAll(...ids);
    });

    test('a stopped consumer finishes work in progress and receives nothing more', async () => {
      const gate = Promise.withResolvers<void>();
      let ended = false;
      consume(async () => {
        await gate.promise;
        ended = true;
      });
      await queues.publish(QUEUE, ['a', 'b']);
      await waitFor(() => delivered.length === 1);
      const stopped = stopAll();
      gate.resolve();
      await stopped;
      expect([ended, delivered.length]).toEqual([true, 1]);
      consume();
      await waitForAll('a', 'b');
    });
  });
}
