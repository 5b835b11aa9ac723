import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { Partitioners } from 'kafkajs';
import { kafkaClient } from '../../src/messaging/kafka/client.ts';
import { openKafkaJobQueues } from '../../src/messaging/kafka/kafka-job-queues.ts';
import { setUpTopics } from '../../src/messaging/kafka/topics.ts';
import type { JobQueues } from '../../src/messaging/messaging.ts';
import { deadLettersOf } from '../../src/messaging/topic-plan.ts';
import { KAFKA, removeFromKafka } from '../servers/support/kafka-admin.ts';
import { describeOnKafka, ownName, titleOnKafka } from '../servers/support/kafka.ts';
import { readTopic } from '../servers/support/topic.ts';
import { describeJobQueues } from './messaging.suite.ts';

const QUEUES = ['surety.jobs.test.v1', 'surety.jobs.other.v1'];

describeOnKafka(titleOnKafka('on Kafka'), () => {
  describeJobQueues('Kafka', async () => {
    const prefix = ownName();
    const clock = { now: '2026-03-01T10:00:00.000Z' };
    const plans = QUEUES.flatMap((queue) => [
      { topic: prefix + queue, partitions: 3, replication: 1 },
      { topic: deadLettersOf(prefix + queue), partitions: 1, replication: 1 },
    ]);
    await setUpTopics(KAFKA, plans);
    const open = (): JobQueues => openKafkaJobQueues({ ...KAFKA, prefix, now: () => clock.now, lookAgainMs: 5 });
    let queues = open();
    return {
      queues,
      clock,
      reopen: async () => {
        await queues.close();
        queues = open();
        return queues;
      },
      dispose: async () => {
        await queues.close();
        await removeFromKafka(prefix);
      },
    };
  });

  test('given messages of others in any partition and of any size, then each is a dead letter once, and never comes again', async () => {
    const prefix = ownName();
    const [queue = ''] = QUEUES;
    const topic = prefix + queue;
    const plans = [topic, deadLettersOf(topic)].map((one) => ({ topic: one, partitions: 3, replication: 1 }));
    await setUpTopics(KAFKA, plans);
    const producer = kafkaClient(KAFKA).producer({ createPartitioner: Partitioners.DefaultPartitioner });
    await producer.connect();
    const junk = [
      { partition: 0, value: 'junk' },
      { partition: 0, value: 'more junk' },
      { partition: 1, value: '\u0001'.repeat(400_000) },
      { partition: 2, value: 'junk' },
      // Its partition would take kafkajs minutes.
      { partition: 2, value: '1', key: Buffer.alloc(400_000, 0xff) },
    ];
    for (const { partition, value, key = null } of junk)
      await producer.send({ topic, messages: [{ key, value, partition }] });
    await producer.disconnect();
    const handed: string[] = [];
    const consumed = async (until: () => Promise<boolean>): Promise<void> => {
      const queues = openKafkaJobQueues({ ...KAFKA, prefix, now: () => new Date().toISOString(), lookAgainMs: 5 });
      const consumer = queues.consume(queue, {
        concurrency: 4,
        handle: async ({ id }) => {
          handed.push(id);
          return await Promise.resolve(id === 'own' ? { kind: 'done' } : { kind: 'dead', reason: 'unreadable' });
        },
      });
      if (handed.length > 0) await queues.publish(queue, [{ id: 'own', body: 1 }]);
      while (!(await until())) await pause(50);
      await consumer.stop();
      await queues.close();
    };
    try {
      await consumed(async () => (await readTopic(KAFKA, topic)).length === 2 * junk.length);
      await consumed(async () => await Promise.resolve(handed.includes('own')));
      const places = ['0/0', '0/1', '1/0', '2/0', '2/1'];
      expect(handed.toSorted()).toEqual(['own', ...places.map((place) => `without id ${place}`)]);
      expect(await readTopic(KAFKA, deadLettersOf(topic))).toHaveLength(junk.length);
    } finally {
      await removeFromKafka(prefix);
    }
  });
});
