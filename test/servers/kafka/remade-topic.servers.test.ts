import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Admin } from 'kafkajs';
import { kafkaClient } from '../../../src/messaging/kafka/client.ts';
import { openKafkaJobQueues } from '../../../src/messaging/kafka/kafka-job-queues.ts';
import { setUpTopics } from '../../../src/messaging/kafka/topics.ts';
import type { JobQueues } from '../../../src/messaging/messaging.ts';
import { deadLettersOf } from '../../../src/messaging/topic-plan.ts';
import { KAFKA, removeFromKafka } from '../support/kafka-admin.ts';
import { until } from '../../support/until.ts';
import { describeOnKafka, ownName, titleOnKafka } from '../support/kafka.ts';

const CHILD = fileURLToPath(new URL('job-process.ts', import.meta.url));
const OLD = Array.from({ length: 30 }, (_, number) => ({ id: `old-${number}`, body: number }));
const PARTITIONS = 3;
/** Each leaves its publication and its end. */
const OLD_RECORDS = 2 * OLD.length;

describeOnKafka(titleOnKafka('A topic of jobs that is deleted and made anew while its consumer is frozen'), () => {
  let prefix: string;
  let topic: string;
  let admin: Admin;
  let queues: JobQueues;
  let child: ChildProcess | undefined;
  beforeEach(async () => {
    prefix = ownName();
    topic = `${prefix}surety.jobs.remade.v1`;
    admin = kafkaClient(KAFKA).admin({ retry: { retries: 5 } });
    await admin.connect();
    queues = openKafkaJobQueues({ ...KAFKA, now: () => new Date().toISOString() });
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    await queues.close();
    await admin.disconnect();
    await removeFromKafka(prefix);
  });

  const setUp = async (): Promise<void> => {
    const plans = [topic, deadLettersOf(topic)].map((name) => ({
      topic: name,
      partitions: PARTITIONS,
      replication: 1,
    }));
    await setUpTopics(KAFKA, plans);
  };
  /** In all partitions. */
  const committed = async (): Promise<number> => {
    // A group that was never asked for before takes the broker a moment.
    const [found] = await admin.fetchOffsets({ groupId: topic, topics: [topic] }).catch(() => []);
    return (found?.partitions ?? []).reduce((sum, { offset }) => sum + Math.max(0, Number(offset)), 0);
  };
  const started = (): { readonly child: ChildProcess; readonly done: readonly string[] } => {
    const done: string[] = [];
    const begun = spawn(process.execPath, [CHILD, KAFKA.brokers.join(','), topic], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child = begun;
    begun.stdout.on('data', (text: Buffer) => {
      for (const line of String(text).trim().split('\n')) done.push(line.replace('done ', ''));
    });
    return { child: begun, done };
  };

  test.each([
    // It goes on where it was, and learns that nothing is there any more.
    ['a moment', 1_000, 1],
    // It goes on where it was, and others stand there.
    ['some seconds', 4_000, 100],
    // The group has shared out its partitions without it: it begins anew, and the topic has already more than it had.
    ['longer than its group waits for it', 15_000, 100],
  ])('given it was frozen for %s, then it does each job of the new topic', async (_how, frozenMs, count) => {
    await setUp();
    const { child: frozen, done } = started();
    await queues.publish(topic, OLD);
    await until(async () => (await committed()) === OLD_RECORDS, committed);
    frozen.kill('SIGSTOP');
    await admin.deleteTopics({ topics: [topic] });
    await until(async () => !(await admin.listTopics()).includes(topic));
    await setUp();
    const jobs = Array.from({ length: count }, (_, number) => ({ id: `new-${number}`, body: number }));
    if (count > OLD_RECORDS) await queues.publish(topic, jobs);
    await pause(frozenMs);
    frozen.kill('SIGCONT');
    if (count <= OLD_RECORDS) await queues.publish(topic, jobs);
    const ids = jobs.map(({ id }) => id);
    await until(
      () => ids.every((id) => done.includes(id)),
      () => done,
    );
    // The group is where the new topic is at its end, so that whoever comes next begins there as well.
    await until(async () => (await committed()) === 2 * count, committed);
    expect([...done].toSorted()).toEqual([...OLD.map(({ id }) => id), ...ids].toSorted());
    const exit = once(frozen, 'exit');
    frozen.kill('SIGKILL');
    await exit;
  });
});
