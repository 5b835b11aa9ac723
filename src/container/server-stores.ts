import { type EventStore, StoreUnavailable } from '../event-store/event-store.ts';
import { openEventStoreDB } from '../event-store/eventstoredb/eventstoredb-event-store.ts';
import type { KafkaOptions } from '../messaging/kafka/client.ts';
import { openKafkaJobQueues } from '../messaging/kafka/kafka-job-queues.ts';
import { openKafkaPublicEvents } from '../messaging/kafka/kafka-public-events.ts';
import { forgetGroup, partitionsOf } from '../messaging/kafka/lost-topics.ts';
import { setUpTopics, TopicsUnfit, usualReplication } from '../messaging/kafka/topics.ts';
import type { JobQueues } from '../messaging/messaging.ts';
import type { PublicEvents } from '../messaging/public-events.ts';
import type { TopicFound } from '../messaging/topic-plan.ts';
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

/** Where the brokers are, and how they are spoken to. */
export type KafkaPlace = Pick<KafkaOptions, 'brokers' | 'security'>;

export function jobQueuesAt(
  place: KafkaPlace,
  { now, log }: { readonly now: () => string; readonly log: Logger },
): JobQueues {
  return openKafkaJobQueues({ ...place, now, log });
}

export function publicEventsAt(place: KafkaPlace, { log }: { readonly log: Logger }): PublicEvents {
  return openKafkaPublicEvents({ ...place, log });
}

/** Parts of a topic where nobody says how many. */
const USUAL_PARTITIONS = 6;

export { TopicsUnfit };

/** Of these topics those that are there → the number of their partitions. @throws {StoreUnavailable} */
export async function topicsAt(place: KafkaPlace, topics: readonly string[]): Promise<ReadonlyMap<string, number>> {
  return await partitionsOf(place, topics);
}

/** As `forgetGroup`. @throws {StoreUnavailable} */
export async function forgetGroupAt(place: KafkaPlace, group: string): Promise<boolean> {
  return await forgetGroup(place, group);
}

/**
 * Makes the topics that are missing.
 * @param usualPartitions where nobody says how many a topic has
 * @throws {TopicsUnfit} when one is not as it must be
 */
export async function setUpTopicsAt(
  place: KafkaPlace,
  { partitions, replication }: Partial<TopicLayout>,
  usualPartitions = USUAL_PARTITIONS,
): Promise<readonly TopicFound[]> {
  const layout = {
    partitions: partitions ?? usualPartitions,
    replication: replication ?? (await usualReplication(place)),
  };
  const accepted = { anyPartitions: partitions === undefined, anyReplication: replication === undefined };
  return await setUpTopics(place, topicPlans(layout), accepted);
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
