import { openKafkaJobQueues } from '../../src/messaging/kafka/kafka-job-queues.ts';
import { setUpTopics } from '../../src/messaging/kafka/topics.ts';
import type { JobQueues } from '../../src/messaging/messaging.ts';
import { deadLettersOf } from '../../src/messaging/topic-plan.ts';
import { describeOnKafka, KAFKA, ownName, removeFromKafka, titleOnKafka } from '../servers/support/kafka.ts';
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
});
