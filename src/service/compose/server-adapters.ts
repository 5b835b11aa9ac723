/** Adapters of the servers. Import this file dynamically, because the drivers load slowly. */
import { PROJECTIONS } from '#projections/registry.ts';
import { definitionsOf } from '#read-side/start-projector.ts';
import type { EventStore } from '#stores/event-log/event-log.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { tlsFailure } from '#stores/shared/tls-failure.ts';
import { openEventStoreDB } from '#stores/event-log/eventstoredb/eventstoredb-event-store.ts';
import { openMongoReadModels } from '#stores/read-models/mongodb/mongo-read-models.ts';
import type { ReadModels } from '#stores/read-models/read-models.ts';
import { openMongoRecords } from '#stores/records/mongodb/mongo-records.ts';
import type { Records } from '#stores/records/records.ts';

export { openKafkaJobQueues } from '#stores/messaging/kafka/kafka-job-queues.ts';
export { openKafkaPublicEvents } from '#stores/messaging/kafka/kafka-public-events.ts';
export { KafkaTopics } from './kafka-topics.ts';

/** @throws {StoreUnavailable} when the connection string is invalid */
export function openEventStore(url: string): EventStore {
  return hideAddress('EVENTSTORE_URL', () => openEventStoreDB({ url }));
}

/** @throws {StoreUnavailable} when the connection string is invalid, or weakens durability */
export function openReadModels(url: string): ReadModels {
  return hideAddress('MONGODB_URL', () => openMongoReadModels({ url, definitions: definitionsOf(PROJECTIONS) }));
}

/** @throws {StoreUnavailable} as `openReadModels` does */
export function openRecords(url: string): Records {
  return hideAddress('MONGODB_URL', () => openMongoRecords({ url }));
}

/** Replaces errors of a driver, which may quote the connection string with a password. */
function hideAddress<T>(setting: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    const failure = tlsFailure(error);
    throw new StoreUnavailable(
      failure === undefined ? `${setting} is not an address that its client understands` : `${setting}: ${failure}`,
    );
  }
}
