import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { Container } from 'inversify';
import type { Catalogue, CommandPorts } from '../../commands/execution/ports.ts';
import { StreamMemory } from '../../commands/execution/stream-memory.ts';
import { PROJECTIONS } from '../../projections/registry.ts';
import { readModelCatalogue } from '../catalogue/read-model-catalogue.ts';
import { sendsPublicEvents, type Settings, usesJobs } from '../config.ts';
import { monotonic, now, pauseUnlessAborted } from './clocks.ts';
import { InstallationMismatch, type StartupOptions } from './installation-check.ts';
import { requireCaughtUp } from './level.ts';
import { embeddedStores } from './modules/embedded-stores.ts';
import { serverStores } from './modules/server-stores.ts';
import { openRecords, prepareCheckpoints, requireKnownLog, requireRecords } from './opening.ts';
import { startProcesses } from './processes.ts';
import { furtherChecks, judgedParts } from './readiness.ts';
import { setUp, type SetUpOutcome } from './set-up.ts';
import { TOKENS } from './tokens.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { Lifecycle } from '../runtime/lifecycle.ts';
import type { HealthCheck } from '../http/routes/dependencies.ts';
import { localUrl } from '../http/serving/local-url.ts';
import { proxyTrust } from '../http/messages/links.ts';
import { RateLimiter } from '../http/serving/rate-limit.ts';
import { createHttpServer, type HttpServer } from '../http/serving/server.ts';
import type { Logger } from '../runtime/logging.ts';
import type { From } from '../processes/checkpoint.ts';
import type { RunningProcess } from '../processes/process.ts';
import { replayPublicEvents } from '../processes/public-events/replay.ts';
import { PROJECTOR_ROLE, type SharedProjector, startSharedProjector } from '../processes/shared-projector.ts';
import { type Standstills, standstillFigures } from '../processes/standstills.ts';
import type { LeaseParts } from '../processes/taking-turns.ts';
import type { TopicLayout } from '../processes/topics.ts';
import type { Projector } from '../projector/projector.ts';
import { collectionsOf, startProjector } from '../projector/start-projector.ts';
import type { ReadModels } from '../read-models/read-models.ts';
import type { Records } from '../records/records.ts';
import { KeyRing } from '../security/key-ring.ts';
import { ensureSecret, requireSecret } from '../security/start-secrets.ts';
import { verificationTokens } from '../security/verification-token.ts';
import { FolderHeld } from '../sqlite/folder-lock.ts';
import { programVersion } from '../runtime/version.ts';

export { FolderHeld, InstallationMismatch, type StartupOptions, TOKENS };

/**
 * Binds every part by the settings; `src/composition/` is the only place in which adapters meet the ports. Nothing is opened
 * before it is asked for.
 */
function bindAll(settings: Settings, log: Logger): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(TOKENS.settings).toConstantValue(settings);
  container.bind(TOKENS.log).toConstantValue(log);
  container.load(embeddedStores(settings), serverStores(settings));
  container.bind(TOKENS.origin).toConstantValue(Promise.withResolvers());
  container
    .bind(TOKENS.commandPorts)
    .toResolvedValue(
      (eventStore: EventStore, records: Records, catalogue: Catalogue) =>
        commandPorts(eventStore, records, catalogue, () => container.get(TOKENS.secret)),
      [TOKENS.eventStore, TOKENS.records, TOKENS.catalogue],
    );
  container.bind(TOKENS.secret).toResolvedValue(secretOf, [TOKENS.settings]);
  container
    .bind(TOKENS.projector)
    .toResolvedValue(openProjector, [
      TOKENS.settings,
      TOKENS.eventStore,
      TOKENS.readModels,
      TOKENS.lease,
      TOKENS.standstills,
      TOKENS.log,
    ]);
  container.bind(TOKENS.metrics).toResolvedValue(() => new Registry());
  container.bind(TOKENS.standstills).toResolvedValue(standstillFigures, [TOKENS.metrics]);
  container
    .bind(TOKENS.keyRing)
    .toResolvedValue(
      (eventStore: EventStore, records: Records, adminKey: string) => new KeyRing({ eventStore, records, adminKey }),
      [TOKENS.eventStore, TOKENS.records, TOKENS.adminKey],
    );
  container
    .bind(TOKENS.httpServer)
    .toResolvedValue(httpServer, [
      TOKENS.settings,
      TOKENS.commandPorts,
      TOKENS.readModels,
      TOKENS.projector,
      TOKENS.keyRing,
      TOKENS.log,
      TOKENS.metrics,
      TOKENS.healthChecks,
    ]);
  return container;
}

async function openProjector(
  { roles }: Settings,
  eventStore: EventStore,
  readModels: ReadModels,
  lease: LeaseParts | undefined,
  standstills: Standstills,
  log: Logger,
): Promise<Projector | SharedProjector> {
  const parts = { eventStore, readModels, projections: PROJECTIONS, log, now, pause: pauseUnlessAborted };
  const projects = lease === undefined || roles.includes('projector');
  const options = { ...parts, stoodStill: projects ? standstills(PROJECTOR_ROLE) : undefined };
  if (lease === undefined) return await startProjector(options);
  return await startSharedProjector({ ...options, monotonic, lease: roles.includes('projector') ? lease : undefined });
}

function httpServer(
  settings: Settings,
  ports: CommandPorts,
  readModels: ReadModels,
  projector: Projector,
  keyRing: KeyRing,
  log: Logger,
  metrics: Registry,
  healthChecks: readonly HealthCheck[],
): HttpServer {
  const { publicUrl, trustProxy, rateLimit, maxConnections, roles } = settings;
  return createHttpServer({
    commandPorts: ports,
    readModels,
    collections: new Map(PROJECTIONS.map(({ name, version }) => [name, version])),
    projector,
    keyRing,
    log,
    publicUrl,
    trustsProxy: proxyTrust(trustProxy),
    rateLimiter: rateLimit === undefined ? undefined : new RateLimiter({ perSecond: rateLimit, now: monotonic }),
    maxConnections,
    metrics,
    version: programVersion(),
    servesApi: roles.includes('api'),
    judged: judgedParts(settings),
    healthChecks,
  });
}

/** Records that several processes can share have one secret: there a service may make it, whoever only needs it may not. */
function secretOf({ secret, mongoUrl, dataFolder }: Settings): string {
  if (secret !== undefined) return secret;
  return mongoUrl === undefined ? ensureSecret(dataFolder, randomBytes).value : requireSecret(dataFolder);
}

/** Where the commands get the clock and chance from. The secret is asked for when something is signed, and not before. */
function commandPorts(
  eventStore: EventStore,
  records: Records,
  catalogue: Catalogue,
  secret: () => string,
): CommandPorts {
  return {
    eventStore,
    records,
    memory: new StreamMemory(),
    catalogue,
    verificationToken: (tenantId, serial) => verificationTokens(secret())(tenantId, serial),
    now,
    randomId: randomUUID,
    randomBytes,
    pause: async (milliseconds) => {
      await pause(milliseconds);
    },
  };
}

/** How long a command waits for the read models it must ask, while these are made: in a service, and without one. */
const CAUGHT_UP_WITHIN_MS = { service: 2_000, alone: 600_000 };

/** The stores that this process works on. */
export interface OpenStores {
  readonly container: Container;
  readonly lifecycle: Lifecycle;
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  readonly commandPorts: CommandPorts;
  /** Agrees with the other processes on the installation, and creates what is missing. @throws {CannotDo} @throws {TopicsUnfit} */
  readonly setUp: (layout?: Partial<TopicLayout>) => Promise<SetUpOutcome>;
  /** Sets the relay of public events back; `then` runs before a relay can start. @throws {CannotDo} while one runs */
  readonly replay: (from: Exclude<From, 'end'>, then?: () => Promise<void>) => Promise<void>;
  /** Makes the collections of the read models with their indexes; where no projector is started that does it. */
  readonly openReadModels: () => Promise<void>;
  /** Keeps the read models level from now on, or, where others may, whenever it is the turn of this process. */
  readonly startProjector: () => Promise<Projector>;
  /** Starts the processes of the settings' roles, once the projector was started. @throws {ProcessNotStarted} */
  readonly startProcesses: () => Promise<readonly RunningProcess[]>;
  /** Listens where the settings say, once the projector was started; resolves with the port. */
  readonly startServer: (options: ServerOptions) => Promise<number>;
}

export interface ServerOptions {
  readonly adminKey: string;
  readonly healthChecks: readonly HealthCheck[];
}

/**
 * Opens the stores, and takes the folder if some lie in it; `lifecycle` closes them again.
 * @throws {FolderHeld} when another process works in the folder
 * @throws {InstallationMismatch} when the settings are not those of the installation; nothing was created then
 * @throws {CannotDo} when the book in the folder was moved to servers, its event log is missing, or nothing is set up
 */
export async function openStores(settings: Settings, log: Logger, opening: StartupOptions = {}): Promise<OpenStores> {
  requireRecords(settings, opening);
  const container = bindAll(settings, log);
  const lifecycle = new Lifecycle();
  try {
    // Of one on a server nothing is made by opening it.
    const onServer = settings.eventStoreUrl === undefined ? undefined : await openLog(container, lifecycle);
    if (onServer !== undefined) await requireKnownLog(settings, onServer, opening);
    const records = await openRecords(container, lifecycle, opening);
    const eventStore = onServer ?? (await openLog(container, lifecycle));
    await prepareCheckpoints(settings, records, eventStore, opening);
    if (usesJobs(settings)) {
      const jobQueues = await container.getAsync(TOKENS.jobQueues);
      lifecycle.started('job queues', async () => await jobQueues.close());
    }
    if (sendsPublicEvents(settings)) {
      const publicEvents = await container.getAsync(TOKENS.publicEvents);
      lifecycle.started('public events', async () => await publicEvents.close());
    }
    const readModels = await container.getAsync(TOKENS.readModels);
    lifecycle.started('read models', async () => await readModels.close());
    const startProjector = async (): Promise<Projector> => await (started ??= start());
    let started: Promise<Projector> | undefined;
    const start = async (): Promise<Projector> => {
      const projector = await container.getAsync(TOKENS.projector);
      lifecycle.started('projector', async () => await projector.stop());
      return projector;
    };
    container.bind(TOKENS.catalogue).toConstantValue(
      readModelCatalogue(readModels, async () => {
        const withinMs = CAUGHT_UP_WITHIN_MS[started === undefined ? 'alone' : 'service'];
        await requireCaughtUp(eventStore, await startProjector(), withinMs);
      }),
    );
    return {
      container,
      lifecycle,
      eventStore,
      readModels,
      commandPorts: await container.getAsync(TOKENS.commandPorts),
      setUp: async (layout) => {
        const topics = await container.getAsync(TOKENS.topics);
        return await setUp({ settings, records, eventStore, opening, randomBytes, topics }, layout);
      },
      replay: async (from, then) =>
        await replayPublicEvents(from, { records, eventStore, pause: async (ms) => await pause(ms) }, then),
      openReadModels: async () => await readModels.open(collectionsOf(PROJECTIONS)),
      startProjector,
      startProcesses: async () => await startProcesses(container, lifecycle),
      startServer: async ({ adminKey, healthChecks }) => {
        const projector = await container.getAsync(TOKENS.projector);
        const jobQueues = usesJobs(settings) ? await container.getAsync(TOKENS.jobQueues) : undefined;
        const publicEvents = sendsPublicEvents(settings) ? await container.getAsync(TOKENS.publicEvents) : undefined;
        container.bind(TOKENS.adminKey).toConstantValue(adminKey);
        container
          .bind(TOKENS.healthChecks)
          .toConstantValue([...healthChecks, ...furtherChecks(settings, { projector, jobQueues, publicEvents })]);
        const server = await container.getAsync(TOKENS.httpServer);
        const port = await server.listen(settings.port, settings.host);
        lifecycle.started('http server', async () => await server.stop());
        container.get(TOKENS.origin).resolve(settings.publicUrl ?? localUrl(settings.host, port));
        return port;
      },
    };
  } catch (error) {
    await lifecycle.stop();
    throw error;
  }
}

async function openLog(container: Container, lifecycle: Lifecycle): Promise<EventStore> {
  const eventStore = await container.getAsync(TOKENS.eventStore);
  lifecycle.started('event store', async () => await eventStore.close());
  return eventStore;
}
