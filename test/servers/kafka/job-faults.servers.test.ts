import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { openKafkaJobQueues } from '../../../src/messaging/kafka/kafka-job-queues.ts';
import { setUpTopics } from '../../../src/messaging/kafka/topics.ts';
import type { JobConsumer, JobOutcome, JobQueues } from '../../../src/messaging/messaging.ts';
import { topicPlans } from '../../../src/processes/topics.ts';
import { until, untilDespiteErrors } from '../../support/until.ts';
import { Broker } from '../support/broker.ts';
import { describeOwnBroker, titleOwnBroker } from '../support/own-broker.ts';

const QUEUE = 'surety.jobs.mail.v1';
const CHILD = fileURLToPath(new URL('job-process.ts', import.meta.url));
const DONE: JobOutcome = { kind: 'done' };

describeOwnBroker(titleOwnBroker('Jobs on a broker of their own'), () => {
  let broker: Broker;
  const consumers: JobConsumer[] = [];
  const opened: JobQueues[] = [];
  const children: ChildProcess[] = [];
  const open = (): JobQueues => {
    const queues = openKafkaJobQueues({ ...broker.options, now: () => new Date().toISOString() });
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

  test.each([
    ['killed', 10_000, async () => await broker.kill(), async () => await broker.start()],
    ['frozen', 25_000, async () => await broker.signal('SIGSTOP'), async () => await broker.signal('SIGCONT')],
  ])(
    'given the broker is %s for %i ms, then the consumer says so, comes back by itself and misses no job',
    async (how, awayMs, away, back) => {
      const queues = open();
      const handed = new Map<string, number>();
      const consumer = queues.consume(QUEUE, {
        concurrency: 4,
        handle: async ({ id }) => {
          handed.set(id, (handed.get(id) ?? 0) + 1);
          await pause(5);
          // Every fifth is to come again once, so that what waits is there over the fault as well.
          const again = Number(id.split('-')[1]) % 5 === 0 && handed.get(id) === 1;
          return again ? { kind: 'again', at: new Date(Date.now() + 3_000).toISOString() } : DONE;
        },
      });
      consumers.push(consumer);
      let published = 0;
      const load = async (milliseconds: number): Promise<void> => {
        for (const stop = Date.now() + milliseconds; Date.now() < stop; await pause(20)) {
          published += 1;
          const job = { id: `${how}-${published}`, body: published };
          await untilDespiteErrors(
            async () => {
              await queues.publish(QUEUE, [job]);
              return true;
            },
            () => `${job.id} cannot be published`,
          );
        }
      };
      const said = (): string => `the consumer ${consumer.check() ?? 'is well'}`;
      await load(2_000);
      await until(() => consumer.check() === undefined, said);
      await expect(queues.ping()).resolves.toBeUndefined();
      await away();
      const loading = load(awayMs + 2_000);
      const isBack = pause(awayMs);
      await until(() => consumer.check() !== undefined, said);
      await expect(queues.ping()).rejects.toThrow('Kafka');
      await isBack;
      expect(consumer.check()).toMatch(/tries again|not heard/);
      await back();
      await loading;
      await until(() => consumer.check() === undefined, said);
      await load(1_000);
      const isDone = (number: number): boolean => (handed.get(`${how}-${number}`) ?? 0) >= (number % 5 === 0 ? 2 : 1);
      const numbers = Array.from({ length: published }, (_, index) => index + 1);
      await until(
        () => numbers.every(isDone),
        () => `not done of ${published}: ${numbers.filter((number) => !isDone(number)).join(' ')}; ${said()}`,
      );
    },
  );

  test('given a consumer is killed with jobs at hand, then another one gets them, and what was done does not come', async () => {
    const queues = open();
    const child = spawn(process.execPath, [CHILD, broker.options.brokers.join(','), QUEUE], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const lines: string[] = [];
    child.stdout?.on('data', (text: Buffer) => lines.push(...String(text).trim().split('\n')));
    const jobs = Array.from({ length: 40 }, (_, index) => ({ id: `kill-${index}`, body: index }));
    await queues.publish(QUEUE, jobs);
    await until(
      () => lines.filter((line) => line.startsWith('done')).length >= 20,
      () => `the child (end: ${child.exitCode ?? 'none'}) said ${lines.join('; ')}`,
    );
    child.kill('SIGKILL');
    await once(child, 'exit');
    const done = new Set(lines.filter((line) => line.startsWith('done')).map((line) => line.split(' ')[1]));
    const handed: string[] = [];
    const handle = async ({ id }: { readonly id: string }): Promise<JobOutcome> => {
      if (id.startsWith('kill-')) handed.push(id);
      return await Promise.resolve(DONE);
    };
    consumers.push(queues.consume(QUEUE, { concurrency: 4, handle }));
    const all = (): Set<string | undefined> => new Set([...done, ...handed]);
    await until(
      () => all().size === jobs.length,
      () => `${all().size} of ${jobs.length} have come`,
    );
    // What was at hand in the end may have been done and not yet written down: as many as were handled at once.
    expect(handed.filter((id) => done.has(id)).length).toBeLessThanOrEqual(4);
  });
});
