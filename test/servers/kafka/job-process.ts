/**
 * Consumes jobs slowly and prints each finished job until it is killed: `node job-process.ts BROKERS QUEUE`.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { openKafkaJobQueues } from '../../../src/messaging/kafka/kafka-job-queues.ts';

const [brokers = '', queue = ''] = process.argv.slice(2);
const queues = openKafkaJobQueues({ brokers: brokers.split(',') });
queues.consume(queue, {
  concurrency: 4,
  handle: async ({ jobId }) => {
    await pause(20);
    process.stdout.write(`done ${jobId}\n`);
  },
});
