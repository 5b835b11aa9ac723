import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { withAdmin } from '#stores/messaging/kafka/admin.ts';
import { openKafkaJobQueues } from '#stores/messaging/kafka/kafka-job-queues.ts';
import { setUpTopics } from '#stores/messaging/kafka/topics.ts';
import type { JobQueues } from '#stores/messaging/messaging.ts';
import { MAIL_QUEUE } from '#processes/mails/mail-job-relay.ts';
import { type MailHarness, MINUTE_MS, startMailHarness } from '../../support/mail-harness.ts';
import { KAFKA, removeFromKafka } from '../support/kafka-admin.ts';
import { describeOnKafka, uniqueName, titleOnKafka } from '../support/kafka.ts';
import { readTopic } from '../support/topic.ts';

describeOnKafka(titleOnKafka('Mail jobs on Kafka'), () => {
  let prefix: string;
  let opened: JobQueues[];
  let harness: MailHarness;
  beforeEach(async () => {
    [prefix, opened] = [uniqueName(), []];
    await makeTopic();
    harness = await startMailHarness(() => {
      const queues = openKafkaJobQueues({ ...KAFKA, prefix });
      opened.push(queues);
      return queues;
    });
  });
  afterEach(async () => {
    await harness.stop();
    await Promise.all(opened.map(async (queues) => await queues.close()));
    await removeFromKafka(prefix);
  });

  const makeTopic = async (): Promise<unknown> =>
    await setUpTopics(KAFKA, [{ topic: prefix + MAIL_QUEUE, partitions: 2, replication: 1 }]);
  const removeTopic = async (): Promise<void> =>
    await withAdmin(KAFKA, async (admin) => await admin.deleteTopics({ topics: [prefix + MAIL_QUEUE] }));
  const messages = async (): Promise<number> => (await readTopic(KAFKA, prefix + MAIL_QUEUE)).length;
  const received = (): number => harness.mailServer.received.length;
  const hasSent = async (count: number): Promise<boolean> => (await harness.jobs('sent')).length === count;

  test('sends each mail once after the topic is recreated with mails in it', async () => {
    harness.relay();
    harness.scheduler();
    const mailer = harness.mailer();
    await harness.register('Sent before');
    await harness.waitUntil(async () => await hasSent(1));
    await mailer.stop();
    await harness.register('In the topic');
    await harness.waitUntil(async () => (await messages()) === 2);
    await removeTopic();
    await makeTopic();
    harness.mailer();
    harness.advanceClock(MINUTE_MS);
    await harness.waitUntil(async () => await hasSent(2));
    harness.advanceClock(MINUTE_MS);
    await harness.waitQuietly();
    expect(received()).toBe(2);
  });

  test('while the topic is missing, the relay is not ready; the mail is sent once the topic exists', async () => {
    await removeTopic();
    const relay = harness.relay();
    harness.scheduler();
    harness.mailer();
    await harness.register();
    await harness.waitUntil(() => relay.check() !== undefined);
    expect((await harness.jobs('requested')).length).toBe(1);
    await makeTopic();
    await harness.waitUntil(async () => await hasSent(1));
    await harness.waitUntil(() => relay.check() === undefined);
    expect(received()).toBe(1);
  });
});
