import { partitionsOf } from '../messaging/kafka/administration.ts';
import type { KafkaOptions } from '../messaging/kafka/client.ts';
import { setUpTopics, usualReplication } from '../messaging/kafka/topics.ts';
import { PUBLIC_TOPICS } from '../processes/public-events/topics.ts';
import { topicPlans, type TopicLayout } from '../processes/topics.ts';

/** The brokers, and how to connect to them. */
export type KafkaConnection = Pick<KafkaOptions, 'brokers' | 'security'>;

/** Partitions of a new topic where neither the operator nor an existing topic says how many. */
const DEFAULT_PARTITIONS = 6;

export interface TopicsOptions {
  /** The topics that exist. */
  readonly existing: ReadonlyMap<string, number>;
  /** Whether a public topic that is missing is created. Topics of jobs always are. */
  readonly createsPublicTopics: boolean;
}

/** What was done about public topics that were missing. */
export interface PublicTopicsOutcome {
  readonly createdTopics: readonly string[];
  /** Those that are still missing, because the relay may have sent to them: a new topic would lack its events. */
  readonly missingTopics: readonly string[];
}

/** The topics of Surety, as its set-up uses them. */
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
   * Creates missing topics and checks those that exist. Where the layout does not say it, a new topic has as many partitions as its
   * siblings, and one that exists may have any number.
   * @throws {TopicsUnfit} when one is not as it must be @throws {StoreUnavailable}
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
      replication: replication ?? (await usualReplication(this.#kafka)),
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
