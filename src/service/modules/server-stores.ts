import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { ContainerModule } from 'inversify';
import type { Settings } from '../config/config.ts';
import type * as ServerAdapters from '../compose/server-adapters.ts';
import { TOKENS } from '../compose/tokens.ts';
import { monotonic, now, pauseUnlessAborted } from '#stores/shared/timing.ts';

export function serverStores({ eventStoreUrl, mongoUrl, kafkaBrokers, kafkaSecurity }: Settings): ContainerModule {
  return new ContainerModule(({ bind }) => {
    if (eventStoreUrl !== undefined) {
      bind(TOKENS.eventStore).toResolvedValue(async () => (await adapters()).openEventStore(eventStoreUrl));
    }
    if (mongoUrl !== undefined) {
      bind(TOKENS.records).toResolvedValue(async () => (await adapters()).openRecords(mongoUrl));
      bind(TOKENS.readModels).toResolvedValue(async () => (await adapters()).openReadModels(mongoUrl));
      const holder = `${hostname()} ${process.pid} ${randomUUID()}`;
      bind(TOKENS.lease).toResolvedValue(
        ({ leases }, log) => leases && { holder, leases, monotonic, now, pause: pauseUnlessAborted, log },
        [TOKENS.records, TOKENS.log],
      );
    }
    if (kafkaBrokers !== undefined) {
      const kafka = { brokers: kafkaBrokers, security: kafkaSecurity };
      bind(TOKENS.jobQueues).toResolvedValue(
        async (log) => (await adapters()).openKafkaJobQueues({ ...kafka, log }),
        [TOKENS.log],
      );
      bind(TOKENS.publicEvents).toResolvedValue(
        async (log) => (await adapters()).openKafkaPublicEvents({ ...kafka, log }),
        [TOKENS.log],
      );
      bind(TOKENS.topics).toResolvedValue(async () => new (await adapters()).KafkaTopics(kafka));
    }
  });
}

async function adapters(): Promise<typeof ServerAdapters> {
  return await import('../compose/server-adapters.ts');
}
