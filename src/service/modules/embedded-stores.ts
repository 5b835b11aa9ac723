import { join } from 'node:path';
import { ContainerModule } from 'inversify';
import type { Settings } from '../config/config.ts';
import { openSqliteEventStore } from '#stores/event-log/sqlite/sqlite-event-store.ts';
import { openInMemoryJobQueues } from '#stores/messaging/in-memory/in-memory-job-queues.ts';
import { openSqliteReadModels } from '#stores/read-models/sqlite/sqlite-read-models.ts';
import { openSqliteRecords } from '#stores/records/sqlite/sqlite-records.ts';
import { FILES } from '../config/data-folder.ts';
import { lockFolder } from '#stores/sqlite/folder-lock.ts';
import { startCheckpoints } from '../threads/checkpoint-thread.ts';
import { TOKENS } from '../compose/tokens.ts';

const FOLDER_LOCK_TIMEOUT_MS = 10_000;

/** Binds the stores without a configured server: files in the data folder, and a job queue in memory. */
export function embeddedStores({ eventStoreUrl, mongoUrl, kafkaBrokers, dataFolder }: Settings): ContainerModule {
  const file = (name: string): string => join(dataFolder, name);
  return new ContainerModule(({ bind }) => {
    bind(TOKENS.folderLock).toResolvedValue(
      async () => await lockFolder(dataFolder, { waitMs: FOLDER_LOCK_TIMEOUT_MS }),
    );
    if (eventStoreUrl === undefined) {
      bind(TOKENS.eventStore).toResolvedValue(() => openSqliteEventStore({ file: file(FILES.eventLog) }));
    }
    if (mongoUrl === undefined) {
      bind(TOKENS.records).toResolvedValue(() => openSqliteRecords({ file: file(FILES.records) }));
      bind(TOKENS.readModels).toResolvedValue(() => openSqliteReadModels({ file: file(FILES.readModels) }));
      bind(TOKENS.lease).toConstantValue(undefined);
    }
    const written = [
      ...(eventStoreUrl === undefined ? [file(FILES.eventLog)] : []),
      ...(mongoUrl === undefined ? [file(FILES.readModels)] : []),
    ];
    bind(TOKENS.checkpointThread).toResolvedValue(
      (log) => (written.length === 0 ? undefined : startCheckpoints(written, log)),
      [TOKENS.log],
    );
    if (kafkaBrokers === undefined) {
      bind(TOKENS.jobQueues).toResolvedValue(() => openInMemoryJobQueues());
      bind(TOKENS.topics).toConstantValue(undefined);
    }
  });
}
