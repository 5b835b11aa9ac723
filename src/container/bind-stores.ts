import { join } from 'node:path';
import type { Container } from 'inversify';
import type { Settings } from '../config.ts';
import { openSqliteEventStore } from '../event-store/sqlite/sqlite-event-store.ts';
import { openSqliteJobQueues } from '../messaging/sqlite/sqlite-job-queues.ts';
import { openSqliteReadModels } from '../read-models/sqlite/sqlite-read-models.ts';
import { openSqliteRecords } from '../records/sqlite/sqlite-records.ts';
import { FILES } from '../runtime/data-folder.ts';
import { kafkaOf } from './broker.ts';
import { now } from './clocks.ts';
import type * as ServerStores from './server-stores.ts';
import { TOKENS } from './tokens.ts';

/** Chooses each store by its setting: a server, or a file of the data folder. Nothing is opened before it is asked for. */
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
      async (log) =>
        kafka === undefined
          ? openSqliteJobQueues({ file: inFolder(FILES.jobs), now })
          : (await onServers()).jobQueuesAt(kafka, { now, log }),
      [TOKENS.log],
    );
  if (kafka === undefined) return;
  container
    .bind(TOKENS.publicEvents)
    .toResolvedValue(async (log) => (await onServers()).publicEventsAt(kafka, { log }), [TOKENS.log]);
}

/** The drivers of the servers take a while to load: whoever uses none does without them. */
export async function onServers(): Promise<typeof ServerStores> {
  return await import('./server-stores.ts');
}
