import kafkajs, { type Admin } from 'kafkajs';
import { StoreUnavailable } from '../../shared/store-unavailable.ts';
import { retryFor } from '../../shared/timing.ts';
import { withAdmin } from './admin.ts';
import { hasErrorType, type KafkaOptions } from './client.ts';
import { type TopicPlan, TopicMismatch } from '../messaging.ts';

const RETENTION = [
  { name: 'retention.ms', value: '-1' },
  { name: 'retention.bytes', value: '-1' },
];
/** A compacted topic loses all but the newest message of each key, and rejects messages without a key. */
const CLEANUP = { name: 'cleanup.policy', value: 'delete' };
/** Kafka's default; larger than any batch that Surety sends. */
const MESSAGE_BYTES = { name: 'max.message.bytes', value: '1048588' };
const IN_SYNC = 'min.insync.replicas';
/** With three replicas, two brokers have every acknowledged message when one broker is unavailable. */
const IN_SYNC_OF_THREE = 2;

const READY_TIMEOUT_MS = 15_000;
const MAX_REPLICAS = 3;

export async function defaultReplication(options: KafkaOptions): Promise<number> {
  const { brokers } = await withAdmin(options, async (admin) => await admin.describeCluster());
  return Math.min(brokers.length, MAX_REPLICAS);
}

interface TopicsOptions {
  /** Existing topics may have another number of partitions. */
  readonly anyPartitions?: boolean;
}

/**
 * Creates missing topics and checks the existing ones for what loses events or their order: they must have the planned
 * number of partitions, because with more a key maps to another partition, and keep their messages forever unless the
 * plan lets them expire.
 * @returns the topics as they are
 * @throws {TopicMismatch} when an existing topic differs; it is not changed
 * @throws {StoreUnavailable}
 */
export async function setUpTopics(
  options: KafkaOptions,
  plans: readonly TopicPlan[],
  accepted: TopicsOptions = {},
): Promise<readonly TopicPlan[]> {
  return await withAdmin(options, async (admin) => await setUpTopicsBy(admin, plans, accepted));
}

/**
 * Does the work of `setUpTopics` with a connected admin client.
 * @param timeoutMs milliseconds within which the brokers must report the new topics
 * @throws also the errors of the admin client
 */
export async function setUpTopicsBy(
  admin: Admin,
  plans: readonly TopicPlan[],
  accepted: TopicsOptions = {},
  timeoutMs = READY_TIMEOUT_MS,
): Promise<readonly TopicPlan[]> {
  const names = new Set(await admin.listTopics());
  const existing = plans.filter(({ topic }) => names.has(topic));
  const missing = plans.filter(({ topic }) => !names.has(topic));
  const deadline = performance.now() + timeoutMs;
  try {
    // Checked first, so that no topic is created when an existing one has the wrong layout.
    if (missing.length > 0 && existing.length > 0) await requireMatch(admin, existing, accepted, deadline);
    if (missing.length > 0) await createTopics(admin, missing);
    const found = await requireMatch(admin, plans, accepted, deadline);
    // A partition may be listed before its leader accepts requests.
    for (const { topic } of missing)
      await retryFor(deadline - performance.now(), async () => await admin.fetchTopicOffsets(topic), isNotPropagated);
    return found;
  } catch (error) {
    if (!isNotPropagated(error)) throw error;
    const sentence = 'Kafka: the brokers do not report the topics yet that they have created; run surety setup again';
    throw new StoreUnavailable(sentence, { cause: error });
  }
}

async function requireMatch(
  admin: Admin,
  plans: readonly TopicPlan[],
  accepted: TopicsOptions,
  deadline: number,
): Promise<readonly TopicPlan[]> {
  const found = await waitForTopics(admin, plans, deadline - performance.now());
  // Another broker may answer, which does not know the topics yet.
  const readSettings = async () => await settingsOf(admin, plans);
  const settings = await retryFor(deadline - performance.now(), readSettings, isNotPropagated);
  const sentences = plans.flatMap((plan) => [
    ...wrongLayout(plan, found, accepted),
    ...wrongSettings(plan, settings.get(plan.topic) ?? new Map<string, string>()),
  ]);
  if (sentences.length > 0) throw new TopicMismatch(sentences.join('\n'));
  return found;
}

const NOT_PROPAGATED = ['UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE', 'NOT_LEADER_FOR_PARTITION'];

function isNotPropagated(error: unknown): boolean {
  return hasErrorType(error, NOT_PROPAGATED);
}

/** kafkajs reports an error when a broker does not list the new topics at once, although they were created. */
async function createTopics(admin: Admin, plans: readonly TopicPlan[]): Promise<void> {
  const topics = plans.map(({ topic, partitions, replication }) => ({
    topic,
    numPartitions: partitions,
    replicationFactor: replication,
    configEntries: [
      CLEANUP,
      ...RETENTION,
      MESSAGE_BYTES,
      ...(replication >= 3 ? [{ name: IN_SYNC, value: String(IN_SYNC_OF_THREE) }] : []),
    ],
  }));
  try {
    await admin.createTopics({ waitForLeaders: true, topics });
  } catch (error) {
    if (!isNotPropagated(error)) throw error;
  }
}

/** Returns the layout of topics; retries, because brokers may report a new topic late. @throws the last error */
async function waitForTopics(
  admin: Admin,
  plans: readonly TopicPlan[],
  timeoutMs = READY_TIMEOUT_MS,
): Promise<readonly TopicPlan[]> {
  const names = plans.map(({ topic }) => topic);
  const fetchLayout = async (): Promise<readonly TopicPlan[]> => {
    const { topics } = await admin.fetchTopicMetadata({ topics: names });
    return topics.map(({ name, partitions }) => ({
      topic: name,
      partitions: partitions.length,
      replication: Math.min(...partitions.map(({ replicas }) => replicas.length)),
    }));
  };
  return await retryFor(timeoutMs, fetchLayout, (error) => !hasErrorType(error, ['TOPIC_AUTHORIZATION_FAILED']));
}

function wrongLayout(
  { topic, partitions }: TopicPlan,
  found: readonly TopicPlan[],
  { anyPartitions = false }: TopicsOptions,
): readonly string[] {
  const existing = found.find((one) => one.topic === topic);
  if (existing === undefined) return [`The topic ${topic} could not be created.`];
  if (anyPartitions || existing.partitions === partitions) return [];
  const has = `The topic ${topic} has ${existing.partitions} partition${existing.partitions === 1 ? '' : 's'}`;
  return [`${has} instead of ${partitions}: messages with the same key would lose their order.`];
}

async function settingsOf(
  admin: Admin,
  plans: readonly TopicPlan[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: plans.map(({ topic }) => ({
      type: kafkajs.ConfigResourceTypes.TOPIC,
      name: topic,
      configNames: [CLEANUP, ...RETENTION].map(({ name }) => name),
    })),
  });
  return new Map(
    resources.map(({ resourceName, configEntries }) => [
      resourceName,
      new Map(configEntries.map(({ configName, configValue }) => [configName, configValue])),
    ]),
  );
}

function wrongSettings(
  { topic, mayExpire = false }: TopicPlan,
  settings: ReadonlyMap<string, string>,
): readonly string[] {
  return (mayExpire ? [CLEANUP] : [CLEANUP, ...RETENTION])
    .filter(({ name, value }) => settings.get(name) !== value)
    .map(({ name, value }) => {
      const has = `The topic ${topic} has ${name} ${settings.get(name)}`;
      return `${has} instead of ${value}: it would lose messages.`;
    });
}
