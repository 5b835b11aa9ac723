import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { KafkaOptions } from '#stores/messaging/kafka/client.ts';
import { openKafkaJobQueues } from '#stores/messaging/kafka/kafka-job-queues.ts';
import { openKafkaPublicEvents } from '#stores/messaging/kafka/kafka-public-events.ts';
import { setUpTopics, defaultReplication } from '#stores/messaging/kafka/topics.ts';
import { KAFKA, removeFromKafka } from '../support/kafka-admin.ts';
import { describeOnKafka, uniqueName, titleOnKafka } from '../support/kafka.ts';
import { SilentServer } from '../../support/silent-server.ts';
import { waitUntil } from '../../support/wait-until.ts';

describeOnKafka(titleOnKafka('Several Kafka brokers, the first of which accepts connections only'), () => {
  const queue = 'surety.jobs.mail.v1';
  let prefix: string;
  let silent: SilentServer;
  beforeEach(() => {
    prefix = uniqueName();
  });
  afterEach(async () => {
    silent.stop();
    await removeFromKafka(prefix);
  });

  test.each([
    ['does not answer', false],
    ['closes connections on the first request', true],
  ])(
    'creates topics, publishes, delivers and answers pings when the first broker %s',
    async (_how, closesOnRequest) => {
      silent = await SilentServer.start({ closesOnRequest });
      const options: KafkaOptions = { brokers: [`127.0.0.1:${silent.port}`, ...KAFKA.brokers] };
      const topics = [prefix + queue, `${prefix}events`];
      await setUpTopics(
        options,
        topics.map((topic) => ({ topic, partitions: 1, replication: 1 })),
      );
      expect(await defaultReplication(options)).toBe(1);
      const publicEvents = openKafkaPublicEvents(options);
      await publicEvents.publish([{ topic: `${prefix}events`, key: 'a', headers: {}, value: '{}' }]);
      await publicEvents.findMissing([]);
      const queues = openKafkaJobQueues({ ...options, prefix });
      await queues.ping();
      await queues.publish(queue, ['a']);
      const delivered: (string | undefined)[] = [];
      const consumer = queues.consume(queue, {
        concurrency: 1,
        handle: async ({ jobId }) => {
          delivered.push(jobId);
          await Promise.resolve();
        },
      });
      await waitUntil(() => delivered.length !== 0);
      await consumer.stop();
      expect(delivered).toEqual(['a']);
      await Promise.all([queues.close(), publicEvents.close()]);
    },
  );
});
