import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { openKafkaJobQueues } from '../../../src/messaging/kafka/kafka-job-queues.ts';
import { setUpTopics } from '../../../src/messaging/kafka/topics.ts';
import type { JobConsumer, JobMessage, JobQueues } from '../../../src/messaging/messaging.ts';
import { topicPlans } from '../../../src/composition/kafka-topics.ts';
import { waitUntil, waitUntilIgnoringErrors } from '../../support/wait-until.ts';
import { Broker } from '../support/broker.ts';
import { describeOwnServers } from '../support/own-servers.ts';

const QUEUE = 'surety.jobs.mail.v1';
const CHILD = fileURLToPath(new URL('job-process.ts', import.meta.url));

describeOwnServers(['KAFKA_BROKERS'], 'Jobs on a broker that fails', () => {
  let broker: Broker;
  const consumers: JobConsumer[] = [];
  const opened: JobQueues[] = [];
  const children: ChildProcess[] = [];
  const open = (): JobQueues => {
    const queues = openKafkaJobQueues(broker.options);
    opened.push(queues);
    return queues;
  };
  beforeAll(async () => {
    broker = await Broker.start();
    await setUpTopics(broker.options, topicPlans({ partitions: 4, replication: 1 }));
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await Promise.all(consumers.splice(0).map(async (consumer) => await consumer.stop()));
    await Promise.all(opened.splice(0).map(async (queues) => await queues.close()));
  });
  afterAll(async () => {
    await broker.dispose();
  });

  test.each<[string, number, () => void | Promise<void>, () => void | Promise<void>]>([
    ['killed', 10_000, async () => await broker.kill(), async () => await broker.start()],
    ['frozen', 25_000, () => broker.freeze(), () => broker.thaw()],
  ])(
    'when the broker is %s for %i ms, the consumer reports so, recovers and misses no job',
    async (how, awayMs, interrupt, restore) => {
      const queues = open();
      const delivered = new Set<string | undefined>();
      const consumer = queues.consume(QUEUE, {
        concurrency: 4,
        handle: async ({ jobId }) => {
          delivered.add(jobId);
          await pause(5);
        },
      });
      consumers.push(consumer);
      let published = 0;
      const load = async (milliseconds: number): Promise<void> => {
        for (const stop = Date.now() + milliseconds; Date.now() < stop; await pause(20)) {
          published += 1;
          const id = `${how}-${published}`;
          await waitUntilIgnoringErrors(
            async () => {
              await queues.publish(QUEUE, [id]);
              return true;
            },
            () => `${id} cannot be published`,
          );
        }
      };
      const describeConsumer = (): string => `the consumer ${consumer.check() ?? 'is healthy'}`;
      await load(2_000);
      await waitUntil(() => consumer.check() === undefined, describeConsumer);
      await expect(queues.ping()).resolves.toBeUndefined();
      await interrupt();
      const loading = load(awayMs + 2_000);
      const isBack = pause(awayMs);
      await waitUntil(() => consumer.check() !== undefined, describeConsumer);
      await expect(queues.ping()).rejects.toThrow('Kafka');
      await isBack;
      expect(consumer.check()).toMatch(/will retry|no reply/);
      await restore();
      await loading;
      await waitUntil(() => consumer.check() === undefined, describeConsumer);
      await load(1_000);
      const isDone = (number: number): boolean => delivered.has(`${how}-${number}`);
      const numbers = Array.from({ length: published }, (_, index) => index + 1);
      await waitUntil(
        () => numbers.every(isDone),
        () =>
          `not done of ${published}: ${numbers.filter((number) => !isDone(number)).join(' ')}; ${describeConsumer()}`,
      );
    },
  );

  test('another consumer gets every job of a batch whose consumer is killed', async () => {
    const queues = open();
    const child = spawn(process.execPath, [CHILD, broker.options.brokers.join(','), QUEUE], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const lines: string[] = [];
    child.stdout?.on('data', (text: Buffer) => lines.push(...String(text).trim().split('\n')));
    const jobs = Array.from({ length: 40 }, (_, index) => `kill-${index}`);
    await queues.publish(QUEUE, jobs);
    await waitUntil(
      () => lines.filter((line) => line.startsWith('done')).length >= 20,
      () => `the child (end: ${child.exitCode ?? 'none'}) printed ${lines.join('; ')}`,
    );
    child.kill('SIGKILL');
    await once(child, 'exit');
    const done = new Set(lines.filter((line) => line.startsWith('done')).map((line) => line.split(' ')[1]));
    const handle = async ({ jobId }: JobMessage): Promise<void> => {
      done.add(jobId);
      await Promise.resolve();
    };
    consumers.push(queues.consume(QUEUE, { concurrency: 4, handle }));
    await waitUntil(
      () => jobs.every((id) => done.has(id)),
      () => `${done.size} of ${jobs.length} were delivered`,
    );
  });
});
