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
import { describeOnKafka, ownName, titleOnKafka } from '../support/kafka.ts';

const CHILD = fileURLToPath(new URL('job-process.ts', import.meta.url));
const OLD = Array.from({ length: 30 }, (_, number) => ({ id: `old-${number}`, body: number }));
/** Each leaves its publication and its end. */
const OLD_RECORDS = 2 * OLD.length;

describeOnKafka(titleOnKafka('A topic of jobs that is deleted and made anew while its consumer is frozen'), () => {
  let prefix: string;
  let topic: string;
  let admin: Admin;
  let queues: JobQueues;
  let child: ChildProcess;
  beforeEach(async () => {
    prefix = ownName();
    topic = `${prefix}surety.jobs.remade.v1`;
    admin = kafkaClient(KAFKA).admin({ retry: { retries: 5 } });
    await admin.connect();
    queues = openKafkaJobQueues({ ...KAFKA, now: () => new Date().toISOString() });
  });
  afterEach(async () => {
    child.kill('SIGKILL');
    await queues.close();
    await admin.disconnect();
    await removeFromKafka(prefix);
  });

  const setUp = async (): Promise<void> => {
    const plans = [topic, deadLettersOf(topic)].map((name) => ({ topic: name, partitions: 1, replication: 1 }));
    await setUpTopics(KAFKA, plans);
  };
  const committed = async (): Promise<number> => {
    // A group that was never asked for before takes the broker a moment.
    const [found] = await admin.fetchOffsets({ groupId: topic, topics: [topic] }).catch(() => []);
    return Number(found?.partitions[0]?.offset ?? -1);
  };
  const started = (): Set<string> => {
    const done = new Set<string>();
    child = spawn(process.execPath, [CHILD, KAFKA.brokers.join(','), topic], { stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout?.on('data', (text: Buffer) => {
      for (const line of String(text).trim().split('\n')) done.add(line.replace('done ', ''));
    });
    return done;
  };

  test.each([
    // It goes on where it was, and learns that nothing is there any more.
    ['a moment', 1_000, 1],
    // It goes on where it was, and others stand there.
    ['some seconds', 4_000, 100],
    // The group has shared out its partitions without it: it begins anew, and the topic has already more than it had.
    ['longer than its group waits for it', 15_000, 100],
  ])(
    'given it was frozen for %s, then it does each job of the new topic',
    async (_how, frozenMs, count) => {
      await setUp();
      const done = started();
      await queues.publish(topic, OLD);
      while ((await committed()) < OLD_RECORDS) await pause(50);
      child.kill('SIGSTOP');
      await admin.deleteTopics({ topics: [topic] });
      while ((await admin.listTopics()).includes(topic)) await pause(20);
      await setUp();
      const jobs = Array.from({ length: count }, (_, number) => ({ id: `new-${number}`, body: number }));
      if (count > OLD_RECORDS) await queues.publish(topic, jobs);
      await pause(frozenMs);
      child.kill('SIGCONT');
      if (count <= OLD_RECORDS) await queues.publish(topic, jobs);
      const ids = jobs.map(({ id }) => id);
      while (!ids.every((id) => done.has(id))) await pause(50);
      // The group is where the new topic is at its end, so that whoever comes next begins there as well.
      while ((await committed()) !== 2 * count) await pause(50);
      expect([...done].toSorted()).toEqual([...OLD.map(({ id }) => id), ...ids].toSorted());
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
    60_000,
  );
});
