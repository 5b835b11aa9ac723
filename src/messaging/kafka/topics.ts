import { setTimeout as pause } from 'node:timers/promises';
import kafkajs, { type Admin } from 'kafkajs';
import type { TopicFound, TopicPlan } from '../topic-plan.ts';
import { asUnavailable, kafkaClient, type KafkaOptions, within } from './client.ts';

/** Topics that are there, but not as they must be. The message is a sentence a topic, for the operator. */
export class TopicsUnfit extends Error {
  override readonly name = 'TopicsUnfit';
}

/** Messages are kept for good: public events, so that they can be read again; jobs, so that none is lost to a long standstill. */
const KEPT_FOR_GOOD = [
  { name: 'cleanup.policy', value: 'delete' },
  { name: 'retention.ms', value: '-1' },
];
/** With three replicas one broker may be away and two still have every message that was answered. */
const IN_SYNC_OF_THREE = [{ name: 'min.insync.replicas', value: '2' }];

const READY_WITHIN_MS = 15_000;
const LOOK_AGAIN_MS = 100;
/** More would cost and add nothing. */
const MOST_REPLICAS = 3;

/** As many replicas as brokers, three at most. @throws {StoreUnavailable} */
export async function usualReplication(options: KafkaOptions): Promise<number> {
  const admin = kafkaClient(options).admin();
  try {
    await admin.connect();
    const { brokers } = await admin.describeCluster();
    return Math.min(brokers.length, MOST_REPLICAS);
  } catch (error) {
    throw asUnavailable(error);
  } finally {
    await within(LOOK_AGAIN_MS * 10, admin.disconnect());
  }
}

/**
 * Makes the topics that are missing and checks those that are there: they must have as many partitions as planned, because a
 * key lies in another partition when there are more, and must not be compacted, or jobs would be lost.
 * With `anyPartitions` those that are there may have another number of partitions.
 * @throws {TopicsUnfit} when one is otherwise; nothing was changed of it
 * @throws {StoreUnavailable}
 */
export async function setUpTopics(
  options: KafkaOptions,
  plans: readonly TopicPlan[],
  { anyPartitions = false } = {},
): Promise<readonly TopicFound[]> {
  const admin = kafkaClient(options).admin();
  try {
    await admin.connect();
    const present = new Set(await admin.listTopics());
    const missing = plans.filter(({ topic }) => !present.has(topic));
    if (missing.length > 0) await make(admin, missing);
    const found = await waitFor(admin, plans);
    const sentences = [...differences(plans, found, anyPartitions), ...(await compacted(admin, plans))];
    if (sentences.length > 0) throw new TopicsUnfit(sentences.join('\n'));
    return found.map((topic) => ({ ...topic, made: !present.has(topic.topic) }));
  } catch (error) {
    throw error instanceof TopicsUnfit ? error : asUnavailable(error);
  } finally {
    await within(LOOK_AGAIN_MS * 10, admin.disconnect());
  }
}

async function make(admin: Admin, plans: readonly TopicPlan[]): Promise<void> {
  await admin.createTopics({
    waitForLeaders: true,
    topics: plans.map(({ topic, partitions, replication }) => ({
      topic,
      numPartitions: partitions,
      replicationFactor: replication,
      configEntries: [...KEPT_FOR_GOOD, ...(replication >= 3 ? IN_SYNC_OF_THREE : [])],
    })),
  });
}

/** What brokers tell of a new topic may lag behind. */
async function waitFor(admin: Admin, plans: readonly TopicPlan[]): Promise<readonly TopicPlan[]> {
  const names = plans.map(({ topic }) => topic);
  for (let tries = READY_WITHIN_MS / LOOK_AGAIN_MS; ; tries--) {
    try {
      const { topics } = await admin.fetchTopicMetadata({ topics: names });
      return topics.map(({ name, partitions }) => ({
        topic: name,
        partitions: partitions.length,
        replication: Math.min(...partitions.map(({ replicas }) => replicas.length)),
      }));
    } catch (error) {
      if (tries <= 1) throw error;
      await pause(LOOK_AGAIN_MS);
    }
  }
}

function differences(plans: readonly TopicPlan[], found: readonly TopicPlan[], anyPartitions: boolean): string[] {
  return plans.flatMap(({ topic, partitions }) => {
    const present = found.find((one) => one.topic === topic);
    if (present === undefined) return [`The topic ${topic} could not be made.`];
    if (anyPartitions || present.partitions === partitions) return [];
    return [
      `The topic ${topic} has ${present.partitions} partitions instead of ${partitions}: messages of one key would leave their order.`,
    ];
  });
}

async function compacted(admin: Admin, plans: readonly TopicPlan[]): Promise<string[]> {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: plans.map(({ topic }) => ({
      type: kafkajs.ConfigResourceTypes.TOPIC,
      name: topic,
      configNames: ['cleanup.policy'],
    })),
  });
  return resources.flatMap(({ resourceName, configEntries }) =>
    configEntries.some(({ configValue }) => configValue.includes('compact'))
      ? [`The topic ${resourceName} is compacted (cleanup.policy): messages would vanish from it.`]
      : [],
  );
}
