import { partitionsOf } from '#stores/messaging/kafka/admin.ts';
import type { KafkaOptions } from '#stores/messaging/kafka/client.ts';
import { defaultReplication, setUpTopics } from '#stores/messaging/kafka/topics.ts';
import type { TopicPlan } from '#stores/messaging/messaging.ts';
import { MAIL_QUEUE } from '#processes/mails/mail-job-relay.ts';
import { PUBLIC_TOPICS } from '#public-events/topics.ts';

/** Layout of new topics. It is chosen once, because with more partitions a key maps to another partition. */
export interface TopicLayout {
  /** Partitions of every topic: the most consumers of a group that can share it. */
  readonly partitions: number;
  readonly replication: number;
}

/** Returns the plan of every topic that Surety writes or reads; `surety setup` creates them. */
export function topicPlans({ partitions, replication }: TopicLayout): readonly TopicPlan[] {
  const layout = { partitions, replication };
  return [
    ...PUBLIC_TOPICS.map((topic) => ({ topic, ...layout })),
    // A mail whose message expired is published again: the event log has the open mails.
    { topic: MAIL_QUEUE, ...layout, mayExpire: true },
  ];
}

type KafkaConnection = Pick<KafkaOptions, 'brokers' | 'security'>;

const DEFAULT_PARTITIONS = 6;

interface TopicsOptions {
  readonly existing: ReadonlyMap<string, number>;
  /** Whether to create missing public topics. Missing topics of jobs are always created. */
  readonly createsPublicTopics: boolean;
}

export interface PublicTopicsOutcome {
  readonly createdTopics: readonly string[];
  /** Not created, because the relay may have sent events to them, which a new topic would lack. */
  readonly missingTopics: readonly string[];
}

export type Topics = Pick<KafkaTopics, 'find' | 'setUp'>;

export class KafkaTopics {
  readonly #kafka: KafkaConnection;

  constructor(kafka: KafkaConnection) {
    this.#kafka = kafka;
  }

  /** Returns the topics of Surety that exist, with the number of their partitions. @throws {StoreUnavailable} */
  async find(): Promise<ReadonlyMap<string, number>> {
    const plans = topicPlans({ partitions: 1, replication: 1 });
    return await partitionsOf(
      this.#kafka,
      plans.map(({ topic }) => topic),
    );
  }

  /**
   * Creates missing topics and checks existing ones. Without a number in the layout, new topics have as many partitions
   * as existing ones, and existing topics may have any number.
   * @throws {TopicMismatch} when an existing topic has an unsuitable setting
   * @throws {StoreUnavailable}
   */
  async setUp(
    { partitions, replication }: Partial<TopicLayout>,
    { existing, createsPublicTopics }: TopicsOptions,
  ): Promise<PublicTopicsOutcome> {
    const missing = PUBLIC_TOPICS.filter((topic) => !existing.has(topic));
    const createdTopics = createsPublicTopics ? missing : [];
    const missingTopics = createsPublicTopics ? [] : missing;
    const [sibling] = existing;
    const plans = topicPlans({
      partitions: partitions ?? sibling?.[1] ?? DEFAULT_PARTITIONS,
      replication: replication ?? (await defaultReplication(this.#kafka)),
    });
    const accepted = { anyPartitions: partitions === undefined };
    await setUpTopics(
      this.#kafka,
      plans.filter(({ topic }) => !missingTopics.includes(topic)),
      accepted,
    );
    return { createdTopics, missingTopics };
  }
}
