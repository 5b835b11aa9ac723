import kafkajs, { type Admin } from 'kafkajs';
import { StoreUnavailable } from '../../event-store/event-store.ts';
import { type TopicPlan, TopicsUnfit } from '../topic-plan.ts';
import { isRefusal, repeated } from './again.ts';
import { asAdmin } from './administration.ts';
import type { KafkaOptions } from './client.ts';

/** New topics keep their messages for good. */
const RETENTION = [
  { name: 'retention.ms', value: '-1' },
  { name: 'retention.bytes', value: '-1' },
];
/** A broker that compacts a topic deletes all but the newest message of a key, and refuses messages that have no key. */
const CLEANUP = { name: 'cleanup.policy', value: 'delete' };
/** What a broker takes for a partition at once: more than is ever sent, and the usual size. */
const MESSAGE_BYTES = { name: 'max.message.bytes', value: '1048588' };
const IN_SYNC = 'min.insync.replicas';
/** With three replicas one broker may be away and two still have every message that was answered. */
const IN_SYNC_OF_THREE = 2;

const READY_WITHIN_MS = 15_000;
/** More would cost and add nothing. */
const MOST_REPLICAS = 3;

/** As many replicas as brokers, three at most. @throws {StoreUnavailable} */
export async function usualReplication(options: KafkaOptions): Promise<number> {
  const { brokers } = await asAdmin(options, async (admin) => await admin.describeCluster());
  return Math.min(brokers.length, MOST_REPLICAS);
}

export interface TopicsOptions {
  /** Topics that are there may have another number of partitions. */
  readonly anyPartitions?: boolean;
  /** Topics that are there may have another number of replicas, and wait for as many as their broker says. */
  readonly anyReplication?: boolean;
}

/**
 * Makes the topics that are missing and checks those that are there: they must have as many partitions as planned, because a
 * key lies in another partition when there are more, as many replicas, and keep their messages for good unless the
 * plan says that these may expire.
 * @throws {TopicsUnfit} when one is otherwise; nothing was changed of it
 * @throws {StoreUnavailable}
 */
export async function setUpTopics(
  options: KafkaOptions,
  plans: readonly TopicPlan[],
  accepted: TopicsOptions = {},
): Promise<readonly TopicPlan[]> {
  const outcome = await asAdmin(options, async (admin) => {
    try {
      return await setUpTopicsBy(admin, plans, accepted);
    } catch (error) {
      // That one is no fault of the brokers.
      if (error instanceof TopicsUnfit) return error;
      throw error;
    }
  });
  if (outcome instanceof TopicsUnfit) throw outcome;
  return outcome;
}

/**
 * As `setUpTopics`, by an administrator that is connected.
 * @param withinMs milliseconds within which the brokers must show what they have made
 * @throws what the administrator throws, too
 */
export async function setUpTopicsBy(
  admin: Admin,
  plans: readonly TopicPlan[],
  accepted: TopicsOptions = {},
  withinMs = READY_WITHIN_MS,
): Promise<readonly TopicPlan[]> {
  const present = new Set(await admin.listTopics());
  const there = plans.filter(({ topic }) => present.has(topic));
  const missing = plans.filter(({ topic }) => !present.has(topic));
  const until = performance.now() + withinMs;
  try {
    // Before any is made: beside others of another layout it would have to be removed again.
    if (missing.length > 0 && there.length > 0) await demandFit(admin, there, accepted, until);
    if (missing.length > 0) await make(admin, missing);
    const found = await demandFit(admin, plans, accepted, until);
    // A partition may be shown before its leader knows of it.
    for (const { topic } of missing) await repeated(async () => await admin.fetchTopicOffsets(topic), until, isLagging);
    return found;
  } catch (error) {
    if (!isLagging(error)) throw error;
    const sentence = 'Kafka: the brokers do not show yet what they have made; run surety setup again';
    throw new StoreUnavailable(sentence, { cause: error });
  }
}

/** Resolves with the topics as they are. @throws {TopicsUnfit} */
async function demandFit(
  admin: Admin,
  plans: readonly TopicPlan[],
  accepted: TopicsOptions,
  until: number,
): Promise<readonly TopicPlan[]> {
  const found = await waitForTopics(admin, plans, until - performance.now());
  // By another broker than the one that has shown the topics, perhaps.
  const settings = await repeated(async () => await settingsOf(admin, plans), until, isLagging);
  const sentences = plans.flatMap((plan) => [
    ...wrongLayout(plan, found, accepted),
    ...wrongSettings(plan, settings.get(plan.topic) ?? new Map<string, string>(), accepted),
  ]);
  if (sentences.length > 0) throw new TopicsUnfit(sentences.join('\n'));
  return found;
}

const OF_NEW_TOPICS = ['UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE', 'NOT_LEADER_FOR_PARTITION'];

/** Whether a broker does not know a topic that was just made, or who leads it. */
function isLagging(error: unknown): boolean {
  return isRefusal(error, OF_NEW_TOPICS);
}

/** Has the topics made; kafkajs then looks at them once, and where they are not shown by then they are made all the same. */
async function make(admin: Admin, plans: readonly TopicPlan[]): Promise<void> {
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
    if (!isLagging(error)) throw error;
  }
}

/** Brokers may report a new topic late. @throws the last error */
export async function waitForTopics(
  admin: Admin,
  plans: readonly TopicPlan[],
  withinMs = READY_WITHIN_MS,
): Promise<readonly TopicPlan[]> {
  const names = plans.map(({ topic }) => topic);
  const look = async (): Promise<readonly TopicPlan[]> => {
    const { topics } = await admin.fetchTopicMetadata({ topics: names });
    return topics.map(({ name, partitions }) => ({
      topic: name,
      partitions: partitions.length,
      replication: Math.min(...partitions.map(({ replicas }) => replicas.length)),
    }));
  };
  return await repeated(look, performance.now() + withinMs, () => true);
}

function wrongLayout(
  { topic, partitions, replication }: TopicPlan,
  found: readonly TopicPlan[],
  { anyPartitions = false, anyReplication = false }: TopicsOptions,
): readonly string[] {
  const present = found.find((one) => one.topic === topic);
  if (present === undefined) return [`The topic ${topic} could not be made.`];
  const sentences: string[] = [];
  if (!anyPartitions && present.partitions !== partitions) {
    const why = 'messages of one key would leave their order';
    sentences.push(
      `The topic ${topic} has ${counted(present.partitions, 'partition')} instead of ${partitions}: ${why}.`,
    );
  }
  if (!anyReplication && present.replication !== replication)
    sentences.push(`The topic ${topic} has ${counted(present.replication, 'replica')} instead of ${replication}.`);
  return sentences;
}

/** Setting → value, of each topic: its own, or that of the broker where it has none. */
async function settingsOf(
  admin: Admin,
  plans: readonly TopicPlan[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: plans.map(({ topic }) => ({
      type: kafkajs.ConfigResourceTypes.TOPIC,
      name: topic,
      configNames: [CLEANUP, ...RETENTION, MESSAGE_BYTES].map(({ name }) => name).concat(IN_SYNC),
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
  { topic, replication, mayExpire = false }: TopicPlan,
  settings: ReadonlyMap<string, string>,
  { anyReplication = false }: TopicsOptions,
): readonly string[] {
  const wrong = (name: string, wanted: string, why: string): string =>
    `The topic ${topic} has ${name} ${settings.get(name)} instead of ${wanted}: ${why}.`;
  const required = mayExpire ? [CLEANUP] : [CLEANUP, ...RETENTION];
  const sentences = required
    .filter(({ name, value }) => settings.get(name) !== value)
    .map(({ name, value }) => wrong(name, value, 'messages would vanish from it'));
  const { name, value } = MESSAGE_BYTES;
  if (Number(settings.get(name)) < Number(value))
    sentences.push(wrong(name, value, 'what is sent at once would not fit'));
  if (!anyReplication && replication >= 3 && Number(settings.get(IN_SYNC)) < IN_SYNC_OF_THREE) {
    const why = 'one broker that is lost could take answered messages with it';
    sentences.push(wrong(IN_SYNC, String(IN_SYNC_OF_THREE), why));
  }
  return sentences;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
