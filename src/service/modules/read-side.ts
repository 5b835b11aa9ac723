import { ContainerModule } from 'inversify';
import { CertificateThread } from '../threads/certificate-thread.ts';
import { PortfolioThread } from '../threads/portfolio-thread.ts';
import { readModelCatalogue } from '../compose/read-model-catalogue.ts';
import type { Settings } from '../config/config.ts';
import { ProjectorStarter } from '../compose/projector-starter.ts';
import { storeLocations } from '../config/store-locations.ts';
import { TOKENS } from '../compose/tokens.ts';
import { Verifications } from '../threads/verifications.ts';
import { declareStallMetric } from '#processes/runtime/process.ts';

/**
 * Binds the projector, the product catalogue of commands, and the threads of portfolios, certificates and
 * verifications.
 */
export function readSide(settings: Settings): ContainerModule {
  const { roles } = settings;
  const stores = storeLocations(settings);
  return new ContainerModule(({ bind }) => {
    bind(TOKENS.stalls).toResolvedValue(declareStallMetric, [TOKENS.metrics]);
    bind(TOKENS.projectorStarter).toResolvedValue(
      ({ now }, eventStore, readModels, lease, stalls, lifecycle, log) =>
        new ProjectorStarter({ roles, now, eventStore, readModels, lease, stalls, lifecycle, log }),
      [TOKENS.system, TOKENS.eventStore, TOKENS.readModels, TOKENS.lease, TOKENS.stalls, TOKENS.lifecycle, TOKENS.log],
    );
    bind(TOKENS.projector).toResolvedValue(async (starter) => await starter.start(), [TOKENS.projectorStarter]);
    bind(TOKENS.catalogue).toResolvedValue(
      (readModels, starter) => readModelCatalogue(readModels, async () => await starter.requireCaughtUp()),
      [TOKENS.readModels, TOKENS.projectorStarter],
    );
    bind(TOKENS.portfolioThread).toResolvedValue(
      (lifecycle) => {
        const thread = new PortfolioThread(stores.log);
        lifecycle.onStop('portfolio', async () => await thread.stop());
        return thread;
      },
      [TOKENS.lifecycle],
    );
    bind(TOKENS.certificateThread).toResolvedValue(
      (lifecycle) => {
        const thread = new CertificateThread();
        lifecycle.onStop('certificates', async () => await thread.stop());
        return thread;
      },
      [TOKENS.lifecycle],
    );
    bind(TOKENS.verifications).toResolvedValue(
      ({ records, now, randomId }, log) => new Verifications({ locations: stores, records, now, randomId, log }),
      [TOKENS.commandPorts, TOKENS.log],
    );
  });
}
