import { expect, test } from '@jest/globals';
import { Partitioners } from 'kafkajs';
import { kafkaClient } from '#stores/messaging/kafka/client.ts';
import { openKafkaJobQueues } from '#stores/messaging/kafka/kafka-job-queues.ts';
import { setUpTopics } from '#stores/messaging/kafka/topics.ts';
import type { JobMessage } from '#stores/messaging/messaging.ts';
import { KAFKA, removeFromKafka } from '../servers/support/kafka-admin.ts';
import { describeOnKafka, uniqueName, titleOnKafka } from '../servers/support/kafka.ts';
import { readTopic } from '../servers/support/topic.ts';
import { waitUntil } from '../support/wait-until.ts';
import { describeJobQueues } from './messaging.suite.ts';

const QUEUES = ['surety.jobs.test.v1', 'surety.jobs.other.v1'];

/** Topics that only one test uses. */
async function ownTopics(): Promise<string> {
  const prefix = uniqueName();
  await setUpTopics(
    KAFKA,
    QUEUES.map((queue) => ({ topic: prefix + queue, partitions: 3, replication: 1 })),
  );
  return prefix;
}

describeOnKafka(titleOnKafka('on Kafka'), () => {
  describeJobQueues('Kafka', async () => {
    const prefix = await ownTopics();
    const queues = openKafkaJobQueues({ ...KAFKA, prefix });
    return {
      queues,
      dispose: async () => {
        await queues.close();
        await removeFromKafka(prefix);
      },
    };
  });

  test('delivers each message of another producer once with its location, in any partition and of any size', async () => {
    const prefix = await ownTopics();
    const [queue = ''] = QUEUES;
    const producer = kafkaClient(KAFKA).producer({ createPartitioner: Partitioners.DefaultPartitioner });
    await producer.connect();
    const junk = [
      { partition: 0, value: 'junk' },
      { partition: 0, value: 'more junk' },
      { partition: 1, value: '\u0001'.repeat(400_000) },
      { partition: 2, value: 'junk' },
      // kafkajs would take minutes to compute the partition of this key.
      { partition: 2, value: '1', key: Buffer.alloc(400_000, 0xff) },
    ];
    for (const { partition, value, key = null } of junk)
      await producer.send({ topic: prefix + queue, messages: [{ key, value, partition }] });
    await producer.disconnect();
    const delivered: JobMessage[] = [];
    const consumeUntil = async (condition: () => boolean): Promise<void> => {
      const queues = openKafkaJobQueues({ ...KAFKA, prefix });
      const consumer = queues.consume(queue, {
        concurrency: 4,
        handle: async (message) => {
          delivered.push(message);
          await Promise.resolve();
        },
      });
      if (delivered.length > 0) await queues.publish(queue, ['own']);
      await waitUntil(condition, () => delivered);
      await consumer.stop();
      await queues.close();
    };
    try {
      await consumeUntil(() => delivered.length === junk.length);
      await consumeUntil(() => delivered.some(({ jobId }) => jobId === 'own'));
      const others = delivered.filter(({ jobId }) => jobId === undefined);
      const locations = others.map(({ location: { partition, offset } }) => `${partition}/${offset}`);
      expect(locations.toSorted()).toEqual(['0/0', '0/1', '1/0', '2/0', '2/1']);
      const own = (await readTopic(KAFKA, prefix + queue)).filter(({ key }) => key === 'own');
      expect(own.map(({ value }) => value)).toEqual(['{"jobId":"own"}']);
    } finally {
      await removeFromKafka(prefix);
    }
  });
});
