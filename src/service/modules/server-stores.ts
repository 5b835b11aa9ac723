import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { ContainerModule } from 'inversify';
import type { Servers } from '../config/config.ts';
import type * as ServerAdapters from '../compose/server-adapters.ts';
import { TOKENS } from '../compose/tokens.ts';
import { monotonic, now, pauseUnlessAborted } from '#stores/shared/timing.ts';

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
