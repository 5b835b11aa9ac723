import { join } from 'node:path';
import type { Container } from 'inversify';
import type { Settings } from '../config.ts';
import { openSqliteEventStore } from '../event-store/sqlite/sqlite-event-store.ts';
import { openInMemoryJobQueues } from '../messaging/in-memory/in-memory-job-queues.ts';
import { openSqliteReadModels } from '../read-models/sqlite/sqlite-read-models.ts';
import { openSqliteRecords } from '../records/sqlite/sqlite-records.ts';
import { FILES } from '../runtime/data-folder.ts';
import type * as ServerStores from './server-stores.ts';
import { TOKENS } from './tokens.ts';

/** Returns where the brokers are that the settings name. */
export function kafkaOf({ kafkaBrokers, kafkaSecurity }: Settings): ServerStores.KafkaPlace | undefined {
  return kafkaBrokers && { brokers: kafkaBrokers, security: kafkaSecurity };
}

/**
 * Chooses each store by its setting: a server, or a file of the data folder; for jobs Kafka, or memory. Nothing is opened before
 * it is asked for.
 */
export function bindStores(container: Container, settings: Settings): void {
  const { eventStoreUrl, mongoUrl, dataFolder } = settings;
  const kafka = kafkaOf(settings);
  const inFolder = (name: string): string => join(dataFolder, name);
  container
    .bind(TOKENS.eventStore)
    .toResolvedValue(async () =>
      eventStoreUrl === undefined
        ? openSqliteEventStore({ file: inFolder(FILES.eventLog) })
        : (await onServers()).eventStoreAt(eventStoreUrl),
    );
  container
    .bind(TOKENS.readModels)
    .toResolvedValue(async () =>
      mongoUrl === undefined
        ? openSqliteReadModels({ file: inFolder(FILES.readModels) })
        : (await onServers()).readModelsAt(mongoUrl),
    );
  container
    .bind(TOKENS.records)
    .toResolvedValue(async () =>
      mongoUrl === undefined
        ? openSqliteRecords({ file: inFolder(FILES.records) })
        : (await onServers()).recordsAt(mongoUrl),
    );
  container
    .bind(TOKENS.jobQueues)
    .toResolvedValue(
      async (log) => (kafka === undefined ? openInMemoryJobQueues() : (await onServers()).jobQueuesAt(kafka, { log })),
      [TOKENS.log],
    );
  if (kafka === undefined) return;
  container
    .bind(TOKENS.publicEvents)
    .toResolvedValue(async (log) => (await onServers()).publicEventsAt(kafka, { log }), [TOKENS.log]);
}

/** Loaded only when a server is configured, because the drivers load slowly. */
export async function onServers(): Promise<typeof ServerStores> {
  return await import('./server-stores.ts');
}
