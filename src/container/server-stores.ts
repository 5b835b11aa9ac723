import { type EventStore, StoreUnavailable } from '../event-store/event-store.ts';
import { openEventStoreDB } from '../event-store/eventstoredb/eventstoredb-event-store.ts';
import type { KafkaOptions } from '../messaging/kafka/client.ts';
import { openKafkaJobQueues } from '../messaging/kafka/kafka-job-queues.ts';
import { openKafkaPublicEvents } from '../messaging/kafka/kafka-public-events.ts';
import { forgetGroup, partitionsOf } from '../messaging/kafka/administration.ts';
import { setUpTopics, TopicsUnfit, usualReplication } from '../messaging/kafka/topics.ts';
import type { JobQueues } from '../messaging/messaging.ts';
import type { PublicEvents } from '../messaging/public-events.ts';
import { deadLettersOf, type TopicFound } from '../messaging/topic-plan.ts';
import { MAIL_QUEUE } from '../processes/mail-jobs/mail-job-of.ts';
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

export { forgetGroup, partitionsOf, TopicsUnfit };

/** Which topics are set up, beside which. */
export interface TopicsBeside {
  /** Topic → partitions, of those that are there, or were: where nobody says how many, each has as many, or as its siblings. */
  readonly before: ReadonlyMap<string, number>;
  /** Default: all. */
  readonly only?: (topic: string) => boolean;
}

/** Makes the topics that are missing. @throws {TopicsUnfit} when one is not as it must be */
export async function setUpTopicsAt(
  place: KafkaPlace,
  { partitions, replication }: Partial<TopicLayout>,
  { before, only = () => true }: TopicsBeside,
): Promise<readonly TopicFound[]> {
  // Dead letters have a layout of their own.
  const [sibling] = [...before].filter(([topic]) => topic !== deadLettersOf(MAIL_QUEUE));
  const layout = {
    partitions: partitions ?? sibling?.[1] ?? USUAL_PARTITIONS,
    replication: replication ?? (await usualReplication(place)),
  };
  const plans = topicPlans(layout).filter(({ topic }) => only(topic));
  if (plans.length === 0) return [];
  const asBefore = plans.map((plan) => ({ ...plan, partitions: before.get(plan.topic) ?? plan.partitions }));
  const accepted = { anyPartitions: partitions === undefined, anyReplication: replication === undefined };
  return await setUpTopics(place, partitions === undefined ? asBefore : plans, accepted);
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
