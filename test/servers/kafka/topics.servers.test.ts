import { execFileSync, spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { kafkaClient } from '#stores/messaging/kafka/client.ts';
import { openKafkaJobQueues } from '#stores/messaging/kafka/kafka-job-queues.ts';
import { openKafkaPublicEvents } from '#stores/messaging/kafka/kafka-public-events.ts';
import { setUpTopics } from '#stores/messaging/kafka/topics.ts';
import type { JobConsumer, JobQueues, TopicPlan, PublicEvents, PublicMessage } from '#stores/messaging/messaging.ts';
import { messageOf } from '../../support/translator.ts';
import { policyActivated, policyCancelled, policyPurchased, toStored } from '../../support/sample-events.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { KAFKA, removeFromKafka } from '../support/kafka-admin.ts';
import { describeOnKafka, uniqueName, titleOnKafka } from '../support/kafka.ts';
import { firstOccurrences, readTopic } from '../support/topic.ts';

const hasKcat = spawnSync('kcat', ['-V']).status === 0;
const withKcat = hasKcat ? test : test.skip;
const why = hasKcat ? '' : ' (skipped: kcat is not installed)';

describeOnKafka(titleOnKafka('Topics on Kafka'), () => {
  const prefix = uniqueName();
  let publicEvents: PublicEvents;
  let queues: JobQueues;
  const consumers: JobConsumer[] = [];
  beforeAll(() => {
    publicEvents = openKafkaPublicEvents(KAFKA);
    queues = openKafkaJobQueues({ ...KAFKA, prefix });
  });
  afterAll(async () => {
    await Promise.all(consumers.map(async (consumer) => await consumer.stop()));
    await Promise.all([publicEvents.close(), queues.close()]);
    await removeFromKafka(prefix);
  });
  const topic = (name: string): string => prefix + name;
  const message = (to: string, key: string, number: number, value = '{}'): PublicMessage => ({
    topic: to,
    key,
    headers: { ce_id: `${key}-${number}` },
    value,
  });

  test('publishing to a missing topic does not create it', async () => {
    const missing = topic('missing');
    await expect(publicEvents.publish([message(missing, 'a', 1)])).rejects.toThrow('surety setup');
    const admin = kafkaClient(KAFKA).admin();
    await admin.connect();
    expect(await admin.listTopics()).not.toContain(missing);
    await admin.disconnect();
  });

  test('a second set-up finds the topics and reports what differs', async () => {
    const plan = { topic: topic('twice'), partitions: 3, replication: 1 };
    expect(await setUpTopics(KAFKA, [plan])).toEqual([plan]);
    expect(await setUpTopics(KAFKA, [plan])).toEqual([plan]);
    await expect(setUpTopics(KAFKA, [{ ...plan, partitions: 6 }])).rejects.toThrow('has 3 partitions instead of 6');
  });

  /** Creates a topic with given settings. */
  const createTopic = async (name: string, configEntries: { name: string; value: string }[]): Promise<TopicPlan> => {
    const admin = kafkaClient(KAFKA).admin();
    await admin.connect();
    const created = { topic: topic(name), numPartitions: 1, replicationFactor: 1, configEntries };
    await admin.createTopics({ waitForLeaders: true, topics: [created] });
    await admin.disconnect();
    return { topic: created.topic, partitions: 1, replication: 1 };
  };
  const KEEP_FOREVER = [
    { name: 'retention.ms', value: '-1' },
    { name: 'cleanup.policy', value: 'delete' },
  ];

  test.each([
    ['cleanup.policy', 'compact', 'delete'],
    ['cleanup.policy', 'compact,delete', 'delete'],
    ['retention.ms', '604800000', '-1'],
    ['retention.bytes', '1073741824', '-1'],
  ])('refuses a topic with %s=%s', async (name, value, wanted) => {
    const others = KEEP_FOREVER.filter((entry) => entry.name !== name);
    const plan = await createTopic(`${name}-${value.length}`, [...others, { name, value }]);
    const sentence = `The topic ${plan.topic} has ${name} ${value} instead of ${wanted}: it would lose messages.`;
    await expect(setUpTopics(KAFKA, [plan])).rejects.toMatchObject({ name: 'TopicMismatch', message: sentence });
  });

  test('keeps the order of the messages of each key', async () => {
    const [one, two] = [topic('one'), topic('two')];
    await setUpTopics(KAFKA, [
      { topic: one, partitions: 5, replication: 1 },
      { topic: two, partitions: 2, replication: 1 },
    ]);
    const text = JSON.stringify('Ω'.repeat(3_000));
    const messages = Array.from({ length: 600 }, (_, number) =>
      message(number % 3 === 0 ? two : one, `key-${number % 17}`, number, text),
    );
    await publicEvents.publish(messages);
    expect(await publicEvents.findMissing([one, topic('nowhere')])).toEqual([topic('nowhere')]);
    for (const name of [one, two]) {
      const read = await readTopic(KAFKA, name);
      const expected = messages.filter((sent) => sent.topic === name);
      expect(read).toHaveLength(expected.length);
      expect(firstOccurrences(read)).toEqual(firstOccurrences(expected));
      expect(read[0]?.value).toBe(text);
    }
  });

  test('a consumer reports that its topic is missing and recovers when the topic exists again', async () => {
    const plans = [{ topic: topic('surety.jobs.gone.v1'), partitions: 2, replication: 1 }];
    await setUpTopics(KAFKA, plans);
    const delivered: (string | undefined)[] = [];
    const consumer = queues.consume('surety.jobs.gone.v1', {
      concurrency: 1,
      handle: async ({ jobId }) => {
        delivered.push(jobId);
        await Promise.resolve();
      },
    });
    consumers.push(consumer);
    const describeConsumer = (): string => `the consumer ${consumer.check() ?? 'is healthy'}`;
    await waitUntil(() => consumer.check() === undefined, describeConsumer);
    const admin = kafkaClient(KAFKA).admin();
    await admin.connect();
    await admin.deleteTopics({ topics: [topic('surety.jobs.gone.v1')] });
    await admin.disconnect();
    // The first failure may have another reason.
    await waitUntil(() => consumer.check()?.includes('surety setup'), describeConsumer);
    await setUpTopics(KAFKA, plans);
    await queues.publish('surety.jobs.gone.v1', ['a']);
    await waitUntil(() => delivered.length > 0, describeConsumer);
    expect(consumer.check()).toBeUndefined();
  });

  withKcat(`kcat prints key, headers and value of a policy's events in their order${why}`, async () => {
    const name = topic('surety.policies.v1');
    await setUpTopics(KAFKA, [{ topic: name, partitions: 3, replication: 1 }]);
    const events = toStored(policyPurchased(1, 1), policyActivated(1, 1), policyCancelled(1, 1));
    const messages = events.flatMap((event) => messageOf(event) ?? []).map((message) => ({ ...message, topic: name }));
    await publicEvents.publish(messages);
    const words = ['-b', KAFKA.brokers.join(','), '-t', name, '-C', '-o', 'beginning', '-e', '-q'];
    const printed = execFileSync('kcat', [...words, '-f', '%k\t%h\t%s\n'], { encoding: 'utf8' });
    const expected = messages.map(({ key, headers, value }) => {
      const list = Object.entries(headers).map(([header, text]) => `${header}=${text}`);
      return `${key}\t${list.join(',')}\t${value}`;
    });
    expect(printed.trimEnd().split('\n')).toEqual(expected);
    expect(printed).toContain('ce_type=surety.policy.cancelled.v1');
  });
});
