import { type EventStore, StoreUnavailable } from '../event-store/event-store.ts';
import { openEventStoreDB } from '../event-store/eventstoredb/eventstoredb-event-store.ts';
import { readLastValues } from '../messaging/kafka/last-values.ts';
import { openKafkaJobQueues } from '../messaging/kafka/kafka-job-queues.ts';
import { openKafkaPublicEvents } from '../messaging/kafka/kafka-public-events.ts';
import type { JobQueues } from '../messaging/messaging.ts';
import type { PublicEvents } from '../messaging/public-events.ts';
import { EARLIER_MAIL_QUEUE, type EarlierJobs } from '../processes/mail-jobs/earlier-jobs.ts';
import { openMongoReadModels } from '../read-models/mongodb/mongo-read-models.ts';
import type { ReadModels } from '../read-models/read-models.ts';
import { openMongoRecords } from '../records/mongodb/mongo-records.ts';
import type { Records } from '../records/records.ts';
import type { Logger } from '../runtime/logging.ts';
import { type KafkaPlace, KafkaTopics, type Topics } from './kafka-topics.ts';

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

export function jobQueuesAt(place: KafkaPlace, { log }: { readonly log: Logger }): JobQueues {
  return openKafkaJobQueues({ ...place, log });
}

/** Returns the queue of mails that earlier versions had: a topic, which only a person deletes. */
export function earlierJobsAt(place: KafkaPlace): EarlierJobs {
  return {
    read: async () => await readLastValues(place, EARLIER_MAIL_QUEUE),
    remove: async () => await Promise.resolve(),
  };
}

export function publicEventsAt(place: KafkaPlace, { log }: { readonly log: Logger }): PublicEvents {
  return openKafkaPublicEvents({ ...place, log });
}

export function topicsAt(place: KafkaPlace): Topics {
  return new KafkaTopics(place);
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
