/** Adapters of the servers. Import this file only when one is used, because its drivers load slowly. */
import { type EventStore, StoreUnavailable } from '../event-store/event-store.ts';
import { openEventStoreDB } from '../event-store/eventstoredb/eventstoredb-event-store.ts';
import { readLastValues } from '../messaging/kafka/last-values.ts';
import { EARLIER_MAIL_QUEUE, type EarlierJobs } from '../processes/mail-jobs/earlier-jobs.ts';
import { openMongoReadModels } from '../read-models/mongodb/mongo-read-models.ts';
import type { ReadModels } from '../read-models/read-models.ts';
import { openMongoRecords } from '../records/mongodb/mongo-records.ts';
import type { Records } from '../records/records.ts';
import type { KafkaConnection } from './kafka-topics.ts';

export { openKafkaJobQueues } from '../messaging/kafka/kafka-job-queues.ts';
export { openKafkaPublicEvents } from '../messaging/kafka/kafka-public-events.ts';
export { KafkaTopics } from './kafka-topics.ts';

/** @throws {StoreUnavailable} when the client does not understand the address */
export function openEventStore(url: string): EventStore {
  return withoutAddress('EVENTSTORE_URL', () => openEventStoreDB({ url }));
}

/** @throws {StoreUnavailable} when the client does not understand the address, or the address weakens what is durable */
export function openReadModels(url: string): ReadModels {
  return withoutAddress('MONGODB_URL', () => openMongoReadModels({ url }));
}

/** @throws {StoreUnavailable} as `openReadModels` does */
export function openRecords(url: string): Records {
  return withoutAddress('MONGODB_URL', () => openMongoRecords({ url }));
}

/** Returns the queue of mails that earlier versions had: a topic, which only a person deletes. */
export function earlierJobsIn(kafka: KafkaConnection): EarlierJobs {
  return {
    read: async () => await readLastValues(kafka, EARLIER_MAIL_QUEUE),
    remove: async () => await Promise.resolve(),
  };
}

/** The message of a driver may quote the address, and with it a password; that of an adapter does not. */
function withoutAddress<T>(setting: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    throw new StoreUnavailable(`${setting} is not an address that its client understands`);
  }
}
