import { type EventStore, StoreUnavailable } from '../event-store/event-store.ts';
import { openEventStoreDB } from '../event-store/eventstoredb/eventstoredb-event-store.ts';
import type { KafkaOptions } from '../messaging/kafka/client.ts';
import { readLastValues } from '../messaging/kafka/last-values.ts';
import { openKafkaJobQueues } from '../messaging/kafka/kafka-job-queues.ts';
import { openKafkaPublicEvents } from '../messaging/kafka/kafka-public-events.ts';
import { partitionsOf } from '../messaging/kafka/administration.ts';
import { setUpTopics, usualReplication } from '../messaging/kafka/topics.ts';
import type { JobQueues } from '../messaging/messaging.ts';
import type { PublicEvents } from '../messaging/public-events.ts';
import { EARLIER_MAIL_QUEUE } from '../processes/mail-jobs/earlier-jobs.ts';
import { PUBLIC_TOPICS } from '../processes/public-events/topics.ts';
import { topicPlans, type TopicLayout } from '../processes/topics.ts';
import { openMongoReadModels } from '../read-models/mongodb/mongo-read-models.ts';
import type { ReadModels } from '../read-models/read-models.ts';
import { openMongoRecords } from '../records/mongodb/mongo-records.ts';
import type { Records } from '../records/records.ts';
import type { Logger } from '../runtime/logging.ts';

/** @throws {StoreUnavailable} when it is no address that the client understands */
export function eventStoreAt(url: string): EventStore {
  return understood('EVENTSTORE_URL', () => openEventStoreDB({ url }));
}

/** @throws {StoreUnavailable} when it is no address that the client understands, or one that would weaken what is durable */
export function readModelsAt(url: string): ReadModels {
  return understood('MONGODB_URL', () => openMongoReadModels({ url }));
}

/** @throws {StoreUnavailable} as `readModelsAt` does */
export function recordsAt(url: string): Records {
  return understood('MONGODB_URL', () => openMongoRecords({ url }));
}

/** Where the brokers are, and how to connect to them. */
export type KafkaPlace = Pick<KafkaOptions, 'brokers' | 'security'>;

export function jobQueuesAt(place: KafkaPlace, { log }: { readonly log: Logger }): JobQueues {
  return openKafkaJobQueues({ ...place, log });
}

/** The jobs in the topic of earlier versions. @throws {StoreUnavailable} */
export async function earlierJobsAt(place: KafkaPlace): Promise<readonly unknown[]> {
  return await readLastValues(place, EARLIER_MAIL_QUEUE);
}

export function publicEventsAt(place: KafkaPlace, { log }: { readonly log: Logger }): PublicEvents {
  return openKafkaPublicEvents({ ...place, log });
}

/** Partitions of a topic where the operator does not say how many, and no other topic is there. */
const USUAL_PARTITIONS = 6;

/** Returns the topics of Surety that exist, with the number of their partitions. @throws {StoreUnavailable} */
export async function topicsAt(place: KafkaPlace): Promise<ReadonlyMap<string, number>> {
  return await partitionsOf(
    place,
    topicPlans({ partitions: 1, replication: 1 }).map(({ topic }) => topic),
  );
}

export interface TopicsOptions {
  /** Those that exist. */
  readonly topics: ReadonlyMap<string, number>;
  /** Whether a public topic that is missing is created. Topics of jobs always are. */
  readonly createsPublicTopics: boolean;
}

/** What was done about public topics that were missing. */
export interface PublicTopicsOutcome {
  readonly createdTopics: readonly string[];
  /** Those that are still missing, because the relay may have sent to them: a new topic would lack its events. */
  readonly missingTopics: readonly string[];
}

/**
 * Creates missing topics and checks those that exist. Where the layout does not say it, a new topic has as many partitions as its
 * siblings, and one that exists may have any number.
 * @throws {TopicsUnfit} when one is not as it must be @throws {StoreUnavailable}
 */
export async function setUpTopicsAt(
  place: KafkaPlace,
  { partitions, replication }: Partial<TopicLayout>,
  { topics, createsPublicTopics }: TopicsOptions,
): Promise<PublicTopicsOutcome> {
  const missing = PUBLIC_TOPICS.filter((topic) => !topics.has(topic));
  const createdTopics = createsPublicTopics ? missing : [];
  const missingTopics = createsPublicTopics ? [] : missing;
  const [sibling] = topics;
  const plans = topicPlans({
    partitions: partitions ?? sibling?.[1] ?? USUAL_PARTITIONS,
    replication: replication ?? (await usualReplication(place)),
  });
  const accepted = { anyPartitions: partitions === undefined, anyReplication: replication === undefined };
  await setUpTopics(
    place,
    plans.filter(({ topic }) => !missingTopics.includes(topic)),
    accepted,
  );
  return { createdTopics, missingTopics };
}

/** The message of a driver may quote the address, and with it a password; that of an adapter does not. */
function understood<T>(setting: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    throw new StoreUnavailable(`${setting} is not an address that its client understands`);
  }
}
