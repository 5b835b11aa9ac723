import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Partitioners } from 'kafkajs';
import { withAdmin } from '../../../src/messaging/kafka/admin.ts';
import { kafkaClient } from '../../../src/messaging/kafka/client.ts';
import { readLatestValues } from '../../../src/messaging/kafka/latest-values.ts';
import { openKafkaJobQueues } from '../../../src/messaging/kafka/kafka-job-queues.ts';
import { setUpTopics } from '../../../src/messaging/kafka/topics.ts';
import type { JobQueues } from '../../../src/messaging/messaging.ts';
import { MAIL_QUEUE } from '../../../src/processes/mail-jobs/requested-mail.ts';
import { type MailWorld, MINUTE_MS, startMailWorld } from '../../support/mail-world.ts';
import { KAFKA, removeFromKafka } from '../support/kafka-admin.ts';
import { describeOnKafka, ownName, titleOnKafka } from '../support/kafka.ts';
import { readTopic } from '../support/topic.ts';

describeOnKafka(titleOnKafka('Mails whose ids are carried by Kafka'), () => {
  let prefix: string;
  let opened: JobQueues[];
  let w: MailWorld;
  beforeEach(async () => {
    [prefix, opened] = [ownName(), []];
    await makeTopic();
    w = await startMailWorld(() => {
      const queues = openKafkaJobQueues({ ...KAFKA, prefix });
      opened.push(queues);
      return queues;
    });
  });
  afterEach(async () => {
    await w.stop();
    await Promise.all(opened.map(async (queues) => await queues.close()));
    await removeFromKafka(prefix);
  });

  const makeTopic = async (): Promise<unknown> =>
    await setUpTopics(KAFKA, [{ topic: prefix + MAIL_QUEUE, partitions: 2, replication: 1 }]);
  const removeTopic = async (): Promise<void> =>
    await withAdmin(KAFKA, async (admin) => await admin.deleteTopics({ topics: [prefix + MAIL_QUEUE] }));
  const messages = async (): Promise<number> => (await readTopic(KAFKA, prefix + MAIL_QUEUE)).length;
  const received = (): number => w.mailServer.received.length;
  const hasSent = async (count: number): Promise<boolean> => (await w.jobs('sent')).length === count;

  test('given a topic that is recreated with mails in it, when a minute has passed, then each is sent once', async () => {
    w.relay();
    w.scheduler();
    const mailer = w.mailer();
    await w.register('Sent before');
    await w.until(async () => await hasSent(1));
    await mailer.stop();
    await w.register('In the topic');
    await w.until(async () => (await messages()) === 2);
    await removeTopic();
    await makeTopic();
    w.mailer();
    w.later(MINUTE_MS);
    await w.until(async () => await hasSent(2));
    w.later(MINUTE_MS);
    await w.quiet();
    expect(received()).toBe(2);
  });

  test('given a topic that is away, then the relay is not ready, and the mail is sent once it is there', async () => {
    await removeTopic();
    const relay = w.relay();
    w.scheduler();
    w.mailer();
    await w.register();
    await w.until(() => relay.check() !== undefined);
    expect((await w.jobs('requested')).length).toBe(1);
    await makeTopic();
    await w.until(async () => await hasSent(1));
    await w.until(() => relay.check() === undefined);
    expect(received()).toBe(1);
  });

  test('given the topic of an earlier version, then the last job of every key is read, and nothing else', async () => {
    const topic = `${prefix}earlier`;
    expect(await readLatestValues(KAFKA, topic)).toEqual([]);
    await setUpTopics(KAFKA, [{ topic, partitions: 3, replication: 1 }]);
    expect(await readLatestValues(KAFKA, topic)).toEqual([]);
    const producer = kafkaClient(KAFKA).producer({ createPartitioner: Partitioners.DefaultPartitioner });
    await producer.connect();
    await producer.send({
      topic,
      messages: [
        { key: 'a', value: '{"jobId":"a","serial":1}' },
        { key: 'b', value: '{"jobId":"b"}' },
        { key: 'b', value: null },
        { key: 'a', value: '{"jobId":"a","serial":2}' },
        { key: 'c', value: 'no JSON' },
        { key: null, value: '{"jobId":"none"}' },
      ],
    });
    await producer.disconnect();
    const jobs = await readLatestValues(KAFKA, topic);
    expect(jobs).toHaveLength(2);
    expect(jobs).toEqual(expect.arrayContaining([{ jobId: 'a', serial: 2 }, { jobId: 'b' }]));
  });
});
