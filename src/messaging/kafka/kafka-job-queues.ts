import type { Moment } from '../../domain/dates.ts';
import type { JobOutcome, JobQueues } from '../messaging.ts';
import { deadLettersOf } from '../topic-plan.ts';
import { kafkaClient, type KafkaOptions } from './client.ts';
import { startConsumer } from './consumer.ts';
import { DeadLetters } from './dead-letters.ts';
import { deadMessageOf } from './dead-record.ts';
import { messageOf } from './job-record.ts';
import type { OpenJob } from './open-jobs.ts';
import { Pulse } from './pulse.ts';
import { Sender } from './sender.ts';

export interface KafkaJobQueuesOptions extends KafkaOptions {
  readonly now: () => Moment;
  /** Stands before the name of every topic and group; for tests that share a broker. */
  readonly prefix?: string;
  readonly lookAgainMs?: number;
  /** After how long a job comes again whose handler threw. */
  readonly pauseAfterErrorMs?: number;
  /** After how long the partitions of a consumer that was killed go to others. */
  readonly sessionTimeoutMs?: number;
}

const LOOK_AGAIN_MS = 1_000;
const PAUSE_AFTER_ERROR_MS = 5_000;
const SESSION_TIMEOUT_MS = 10_000;
/** Jobs that are sent at once. */
const MOST_AT_ONCE = 500;

/** Job queues on Kafka: a queue is a topic, its consumers are a group of the same name. Topics are made by `setUpTopics`. */
export function openKafkaJobQueues(options: KafkaJobQueuesOptions): JobQueues {
  const { now, prefix = '' } = options;
  const { lookAgainMs = LOOK_AGAIN_MS, pauseAfterErrorMs = PAUSE_AFTER_ERROR_MS } = options;
  const kafka = kafkaClient(options);
  const sender = new Sender(kafka);
  const pulse = new Pulse(kafka);
  const topicOf = (queue: string): string => prefix + queue;
  const deadLetters = new DeadLetters(kafka, sender);

  const publish: JobQueues['publish'] = async (queue, jobs) => {
    const at = now();
    for (let from = 0; from < jobs.length; from += MOST_AT_ONCE) {
      const messages = jobs.slice(from, from + MOST_AT_ONCE).map((job) => messageOf({ kind: 'published', job, at }));
      await sender.send([{ topic: topicOf(queue), messages }]);
    }
  };
  /**
   * What follows is written before what was is let go of, so a kill in between repeats and never loses. It stands in the
   * partition of the job, where others may have put it that do not go by its key.
   */
  const conclude = async (queue: string, job: OpenJob, outcome: JobOutcome, partition: number): Promise<void> => {
    const { id, offset: of } = job;
    const topic = topicOf(queue);
    if (outcome.kind === 'again') {
      await sender.send([
        { topic, messages: [{ ...messageOf({ kind: 'again', job, of, due: outcome.at }), partition }] },
      ]);
      return;
    }
    if (outcome.kind === 'dead') {
      await sender.send([
        { topic: deadLettersOf(topic), messages: [deadMessageOf(job, queue, outcome.reason, now())] },
      ]);
    }
    await sender.send([{ topic, messages: [{ ...messageOf({ kind: 'done', id, of }), partition }] }]);
  };

  return {
    publish,
    consume: (queue, consumeOptions) =>
      startConsumer({
        ...consumeOptions,
        kafka,
        topic: topicOf(queue),
        group: topicOf(queue),
        sessionTimeoutMs: options.sessionTimeoutMs ?? SESSION_TIMEOUT_MS,
        now,
        lookAgainMs,
        pauseAfterErrorMs,
        log: options.log,
        conclude: async (job, outcome, partition) => await conclude(queue, job, outcome, partition),
      }),
    deadLetters: async (queue) => await deadLetters.list(deadLettersOf(topicOf(queue))),
    replayDeadLetters: async (queue) =>
      await deadLetters.take(deadLettersOf(topicOf(queue)), async (letters) => {
        await publish(
          queue,
          letters.map(({ job }) => job),
        );
      }),
    discardDeadLetters: async (queue, places) => await deadLetters.discard(deadLettersOf(topicOf(queue)), places),
    ping: async () => await pulse.ping(),
    close: async () => {
      await Promise.all([sender.close(), pulse.close()]);
    },
  };
}
