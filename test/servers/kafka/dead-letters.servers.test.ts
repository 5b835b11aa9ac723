import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Admin, KafkaJSDeleteGroupsError, Partitioners } from 'kafkajs';
import { kafkaClient } from '../../../src/messaging/kafka/client.ts';
import { openKafkaJobQueues } from '../../../src/messaging/kafka/kafka-job-queues.ts';
import { setUpTopics } from '../../../src/messaging/kafka/topics.ts';
import type { JobOutcome, JobQueues } from '../../../src/messaging/messaging.ts';
import { deadLettersOf } from '../../../src/messaging/topic-plan.ts';
import { until } from '../../support/until.ts';
import { KAFKA, removeFromKafka } from '../support/kafka-admin.ts';
import { describeOnKafka, ownName, titleOnKafka } from '../support/kafka.ts';

const QUEUE = 'surety.jobs.mail.v1';
/** Error code of the protocol. */
const NON_EMPTY_GROUP = 68;

const isNotEmpty = ({ errorCode }: { readonly errorCode?: number }): boolean => errorCode === NON_EMPTY_GROUP;

describeOnKafka(titleOnKafka('Dead letters on Kafka'), () => {
  let prefix: string;
  let dead: string;
  let queues: JobQueues;
  let admin: Admin;
  beforeAll(async () => {
    admin = kafkaClient(KAFKA).admin();
    await admin.connect();
  });
  afterAll(async () => {
    await admin.disconnect();
  });
  beforeEach(async () => {
    prefix = ownName();
    dead = deadLettersOf(prefix + QUEUE);
    await setUpTopics(KAFKA, [
      { topic: prefix + QUEUE, partitions: 2, replication: 1 },
      { topic: dead, partitions: 2, replication: 1 },
    ]);
    queues = openKafkaJobQueues({ ...KAFKA, prefix, now: () => new Date().toISOString() });
  });
  afterEach(async () => {
    await queues?.close();
    await removeFromKafka(prefix);
  });

  /** Publishes jobs, and hands them over until every one of them has come. */
  async function letDie(...ids: readonly string[]): Promise<void> {
    await queues.publish(
      QUEUE,
      ids.map((id) => ({ id, body: id })),
    );
    await handOver({ kind: 'dead', reason: 'of this test' }, ids.length);
  }

  async function handOver(outcome: JobOutcome, count: number): Promise<readonly string[]> {
    const handed: string[] = [];
    const consumer = queues.consume(QUEUE, {
      concurrency: 1,
      handle: async ({ id }) => {
        handed.push(id);
        return await Promise.resolve(outcome);
      },
    });
    try {
      await until(
        () => handed.length >= count,
        () => `${handed.length} of ${count} jobs were handed over; the consumer ${consumer.check() ?? 'is well'}`,
      );
    } finally {
      await consumer.stop();
    }
    return handed;
  }

  const listed = async (): Promise<readonly string[]> =>
    (await queues.deadLetters(QUEUE)).map(({ job }) => job.id).sort();

  /** What a broker does with the offsets of a group that had no member for a week. */
  async function forgetGroups(): Promise<void> {
    const { groups } = await admin.listGroups();
    const own = groups.map(({ groupId }) => groupId).filter((id) => id.startsWith(dead));
    for (const id of own) {
      await until(
        async () => await isDeleted(id),
        () => `the group ${id} still has members`,
      );
    }
  }

  /** False while a member has not quite left it. */
  async function isDeleted(groupId: string): Promise<boolean> {
    try {
      await admin.deleteGroups([groupId]);
      return true;
    } catch (error) {
      if (error instanceof KafkaJSDeleteGroupsError && error.groups?.every(isNotEmpty)) return false;
      throw error;
    }
  }

  test('given letters that were replayed, when the broker has forgotten its groups, then they do not come back', async () => {
    await letDie('a', 'b', 'c');
    expect(await queues.replayDeadLetters(QUEUE)).toBe(3);
    await forgetGroups();
    expect(await listed()).toEqual([]);
    expect(await queues.replayDeadLetters(QUEUE)).toBe(0);
    await handOver({ kind: 'done' }, 3);
    await letDie('b', 'd');
    await forgetGroups();
    expect(await listed()).toEqual(['b', 'd']);
  });

  test('given letters that an earlier version replayed, which the group alone knows, then they do not come back', async () => {
    await letDie('a', 'b', 'c', 'd');
    const ends = await admin.fetchTopicOffsets(dead);
    const partitions = ends.map(({ partition, high }) => ({ partition, offset: high }));
    await admin.setOffsets({ groupId: `${dead}.replay`, topic: dead, partitions });
    expect(await listed()).toEqual([]);
    await letDie('e');
    expect(await listed()).toEqual(['e']);
    expect(await queues.replayDeadLetters(QUEUE)).toBe(1);
    expect(await listed()).toEqual([]);
  });

  test('given letters of strangers without a key, when one is discarded, then the others are still listed', async () => {
    const producer = kafkaClient(KAFKA).producer({ createPartitioner: Partitioners.DefaultPartitioner });
    await producer.connect();
    const messages = ['1', '2', '3'].map((value) => ({ key: null, value, partition: 1 }));
    await producer.send({ topic: dead, messages });
    await producer.disconnect();
    await letDie('a');
    expect(await queues.discardDeadLetters(QUEUE, ['1/1'])).toMatchObject([{ job: { id: '', body: 2 }, place: '1/1' }]);
    const left = await queues.deadLetters(QUEUE);
    expect(left.map(({ job }) => String(job.body)).toSorted()).toEqual(['1', '3', 'a']);
    expect(await queues.deadLetters(QUEUE)).toEqual(left);
    expect(await queues.replayDeadLetters(QUEUE)).toBe(3);
    expect(await listed()).toEqual([]);
  });

  test('given a job that died in two partitions, since there are more by now, when it is discarded, then none of it is left', async () => {
    const producer = kafkaClient(KAFKA).producer({ createPartitioner: Partitioners.DefaultPartitioner });
    await producer.connect();
    for (const partition of [0, 1])
      await producer.send({ topic: dead, messages: [{ key: 'a', value: '1', partition }] });
    await producer.disconnect();
    const [letter, ...more] = await queues.deadLetters(QUEUE);
    expect(more).toEqual([]);
    await queues.discardDeadLetters(QUEUE, [letter?.place ?? '']);
    expect(await listed()).toEqual([]);
  });
});
