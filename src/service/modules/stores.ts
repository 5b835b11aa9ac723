import { join } from 'node:path';
import { ContainerModule } from 'inversify';
import { PROJECTIONS } from '#projections/registry.ts';
import { definitionsOf } from '#read-side/start-projector.ts';
import { openSqliteEventStore } from '#stores/event-log/sqlite/sqlite-event-store.ts';
import { openInMemoryJobQueues } from '#stores/messaging/in-memory/in-memory-job-queues.ts';
import { openSqliteReadModels } from '#stores/read-models/sqlite/sqlite-read-models.ts';
import { openSqliteRecords } from '#stores/records/sqlite/sqlite-records.ts';
import { FILES } from '../config/data-folder.ts';
import { lockFolder } from '#stores/sqlite/folder-lock.ts';
import { startCheckpoints } from '../threads/checkpoint-thread.ts';
import { TOKENS } from '../compose/tokens.ts';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Servers } from '../config/config.ts';
import type * as ServerAdapters from '../compose/server-adapters.ts';
import { monotonic, now, pauseUnlessAborted } from '#stores/shared/timing.ts';

const FOLDER_LOCK_TIMEOUT_MS = 10_000;

/** Binds the stores of a data folder: its files, and a job queue in memory. */
export function embeddedStores(dataFolder: string): ContainerModule {
  const file = (name: string): string => join(dataFolder, name);
  return new ContainerModule(({ bind }) => {
    bind(TOKENS.folderLock).toResolvedValue(
      async () => await lockFolder(dataFolder, { waitMs: FOLDER_LOCK_TIMEOUT_MS }),
    );
    bind(TOKENS.eventStore).toResolvedValue(() => openSqliteEventStore({ file: file(FILES.eventLog) }));
    bind(TOKENS.records).toResolvedValue(() => openSqliteRecords({ file: file(FILES.records) }));
    bind(TOKENS.readModels).toResolvedValue(() =>
      openSqliteReadModels({ folder: dataFolder, definitions: definitionsOf(PROJECTIONS) }),
    );
    bind(TOKENS.lease).toConstantValue(undefined);
    bind(TOKENS.checkpointThread).toResolvedValue((log) => startCheckpoints(dataFolder, log), [TOKENS.log]);
    bind(TOKENS.jobQueues).toResolvedValue(() => openInMemoryJobQueues());
    bind(TOKENS.topics).toConstantValue(undefined);
  });
}

/** Binds the stores on servers. */
export function serverStores({ eventStoreUrl, mongoUrl, kafka }: Servers): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(TOKENS.eventStore).toResolvedValue(async () => (await adapters()).openEventStore(eventStoreUrl));
    bind(TOKENS.records).toResolvedValue(async () => (await adapters()).openRecords(mongoUrl));
    bind(TOKENS.readModels).toResolvedValue(async () => (await adapters()).openReadModels(mongoUrl));
    const holder = `${hostname()} ${process.pid} ${randomUUID()}`;
    bind(TOKENS.lease).toResolvedValue(
      ({ leases }, log) => leases && { holder, leases, monotonic, now, pause: pauseUnlessAborted, log },
      [TOKENS.records, TOKENS.log],
    );
    bind(TOKENS.checkpointThread).toConstantValue(undefined);
    bind(TOKENS.jobQueues).toResolvedValue(
      async (log) => (await adapters()).openKafkaJobQueues({ ...kafka, log }),
      [TOKENS.log],
    );
    bind(TOKENS.publicEvents).toResolvedValue(
      async (log) => (await adapters()).openKafkaPublicEvents({ ...kafka, log }),
      [TOKENS.log],
    );
    bind(TOKENS.topics).toResolvedValue(async () => new (await adapters()).KafkaTopics(kafka));
  });
}

async function adapters(): Promise<typeof ServerAdapters> {
  return await import('../compose/server-adapters.ts');
}
