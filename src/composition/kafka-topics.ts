import { partitionsOf } from '../messaging/kafka/admin.ts';
import type { KafkaOptions } from '../messaging/kafka/client.ts';
import { setUpTopics, defaultReplication } from '../messaging/kafka/topics.ts';
import { PUBLIC_TOPICS } from '../processes/public-events/topics.ts';
import { topicPlans, type TopicLayout } from './topic-plans.ts';

export type KafkaConnection = Pick<KafkaOptions, 'brokers' | 'security'>;

/** Partitions of the first topic, unless the operator sets another number. */
const DEFAULT_PARTITIONS = 6;

export interface TopicsOptions {
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
   * Creates missing topics and checks existing ones. Without a number in the layout, new topics have as many partitions as existing ones,
   * and existing topics may have any number.
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
    const accepted = { anyPartitions: partitions === undefined, anyReplication: replication === undefined };
    await setUpTopics(
      this.#kafka,
      plans.filter(({ topic }) => !missingTopics.includes(topic)),
      accepted,
    );
    return { createdTopics, missingTopics };
  }
}
