import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { ContainerModule } from 'inversify';
import { PROJECTIONS } from '#projections/registry.ts';
import { sendsPublicEvents, type Settings, usesJobs, writesToDataFolder } from '../config/config.ts';
import { pingCheck } from '../observability/health-checks.ts';
import { pingMailServer } from '#processes/mails/smtp-transport.ts';
import { RateLimiter } from '#http/api/middleware/rate-limit.ts';
import { createHttpServer } from '#http/server/server.ts';
import { consoleFolder, programVersion } from '../config/package-folder.ts';
import { KeyRing } from '../security/key-ring.ts';
import { OpenIdConnect } from '../security/openid-connect.ts';
import { SessionTokens } from '../security/session-tokens.ts';
import { Sessions } from '../security/sessions.ts';
import { ensureAdminKey, secretOf } from '../security/start-secrets.ts';
import {
  diskCheck,
  parkedCheck,
  projectorCheck,
  publicTopicsCheck,
  startCheck,
  checkedParts,
  mailServerCheck,
  optionalForApi,
  processChecks,
  waitingMailsCheck,
} from '../checks/readiness.ts';
import { diskReader, relayReader, roleReader } from '../checks/service-status.ts';
import { allOf, TOKENS } from '../compose/tokens.ts';
import { monotonic } from '#stores/shared/timing.ts';

const THIS_PROCESS = {
  name: `${hostname()} ${process.pid}`,
  startedAt: new Date(performance.timeOrigin).toISOString(),
};

export function http(settings: Settings): ContainerModule {
  const { adminKey, dataFolder, publicUrl, trustProxy, rateLimit, maxConnections, roles, servers, smtpUrl } = settings;
  const { supportEmail, openId } = settings;
  const servesApi = roles.includes('api');
  return new ContainerModule(({ bind }) => {
    bind(TOKENS.adminKey).toResolvedValue(() =>
      adminKey === undefined
        ? ensureAdminKey(dataFolder, randomBytes)
        : { value: adminKey, created: false, file: 'SURETY_ADMIN_KEY' },
    );
    bind(TOKENS.keyRing).toResolvedValue(
      (eventStore, records, { value }, { now }) => new KeyRing({ eventStore, records, adminKey: value, now }),
      [TOKENS.eventStore, TOKENS.records, TOKENS.adminKey, TOKENS.system],
    );
    bind(TOKENS.sessions).toResolvedValue(
      (keyRing, records, { now }) =>
        new Sessions({ tokens: new SessionTokens(secretOf(settings)), keyRing, records, now }),
      [TOKENS.keyRing, TOKENS.records, TOKENS.system],
    );
    bind(TOKENS.startup).toConstantValue({ isDone: false });
    bind(TOKENS.healthChecks).toResolvedValue((startup) => [startCheck(startup)], [TOKENS.startup]);
    bind(TOKENS.healthChecks).toResolvedValue((running) => processChecks(settings, running), [TOKENS.runningProcesses]);
    if (roles.includes('projector') || servesApi)
      bind(TOKENS.healthChecks).toResolvedValue(
        (readModels) => [
          parkedCheck(
            readModels,
            PROJECTIONS.map(({ name }) => name),
          ),
        ],
        [TOKENS.readModels],
      );
    if (writesToDataFolder(settings)) bind(TOKENS.healthChecks).toConstantValue([diskCheck(dataFolder)]);
    if (roles.includes('projector') && !servesApi)
      bind(TOKENS.healthChecks).toResolvedValue((projector) => [projectorCheck(projector)], [TOKENS.projector]);
    if (servers !== undefined && usesJobs(settings))
      bind(TOKENS.healthChecks).toResolvedValue(
        (queues) => [optionalForApi(settings, pingCheck('kafka', queues))],
        [TOKENS.jobQueues],
      );
    if (sendsPublicEvents(settings))
      bind(TOKENS.healthChecks).toResolvedValue(
        (publicEvents) => [optionalForApi(settings, publicTopicsCheck(publicEvents))],
        [TOKENS.publicEvents],
      );
    if (smtpUrl !== undefined && roles.includes('mailer'))
      bind(TOKENS.healthChecks).toConstantValue([
        optionalForApi(
          settings,
          mailServerCheck(async () => await pingMailServer(smtpUrl)),
        ),
      ]);
    if (servesApi)
      bind(TOKENS.healthChecks).toResolvedValue((readModels) => [waitingMailsCheck(readModels)], [TOKENS.readModels]);
    bind(TOKENS.status).toResolvedValue(
      ({ records, eventStore, now }, readModels, lease, ledRoles) => ({
        readRoles: roleReader({ lease, ledRoles, thisProcess: THIS_PROCESS }),
        readRelay: relayReader({ records, readModels, eventStore, now }),
        readDisk: diskReader(writesToDataFolder(settings) ? dataFolder : undefined),
      }),
      [TOKENS.commandPorts, TOKENS.readModels, TOKENS.lease, TOKENS.ledRoles],
    );
    bind(TOKENS.httpDependencies).toResolvedValue(
      (
        commandPorts,
        readModels,
        projector,
        portfolioThread,
        certificateThread,
        verifications,
        status,
        translator,
        keyRing,
        sessions,
        log,
        metrics,
        healthChecks,
      ) => ({
        commandPorts,
        readModels,
        projector,
        runPortfolio: portfolioThread.run,
        renderCertificate: certificateThread.render,
        startVerification: async () => await verifications.start(),
        status,
        translator,
        keyRing,
        sessions,
        log,
        metrics,
        publicUrl,
        supportEmail,
        openIdConnect: openId && new OpenIdConnect(openId, `${openId.publicUrl}/sign-in/callback`),
        trustProxy,
        maxConnections,
        servesApi,
        collections: new Map(PROJECTIONS.map(({ name, version }) => [name, version])),
        rateLimiter: rateLimit === undefined ? undefined : new RateLimiter({ perSecond: rateLimit, now: monotonic }),
        consoleFolder: consoleFolder(),
        version: programVersion(),
        checkedParts: checkedParts(settings),
        healthChecks: healthChecks.flat(),
      }),
      [
        TOKENS.commandPorts,
        TOKENS.readModels,
        TOKENS.projector,
        TOKENS.portfolioThread,
        TOKENS.certificateThread,
        TOKENS.verifications,
        TOKENS.status,
        TOKENS.translator,
        TOKENS.keyRing,
        TOKENS.sessions,
        TOKENS.log,
        TOKENS.metrics,
        allOf(TOKENS.healthChecks),
      ],
    );
    bind(TOKENS.httpServer).toResolvedValue(createHttpServer, [TOKENS.httpDependencies]);
  });
}
