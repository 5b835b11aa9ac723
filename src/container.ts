import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { Container, type ServiceIdentifier } from 'inversify';
import type { Catalogue, CommandPorts } from '../commands/execution/ports.ts';
import { PROJECTIONS } from '../projections/registry.ts';
import type { Role, Settings } from './config.ts';
import { readModelCatalogue } from './catalogue/read-model-catalogue.ts';
import { type EventStore, StoreUnavailable } from './event-store/event-store.ts';
import { openSqliteEventStore } from './event-store/sqlite/sqlite-event-store.ts';
import { Lifecycle } from './runtime/lifecycle.ts';
import type { HealthCheck } from './http/dependencies.ts';
import { localUrl } from './http/local-url.ts';
import { RateLimiter } from './http/rate-limit.ts';
import { createHttpServer, type HttpServer } from './http/server.ts';
import { checkDataFolder, FILES, LogMissing } from './runtime/data-folder.ts';
import type { Logger } from './runtime/logging.ts';
import type { JobQueues } from './messaging/messaging.ts';
import { openSqliteJobQueues } from './messaging/sqlite/sqlite-job-queues.ts';
import { ProcessNotStarted, type ProcessParts, type RunningProcess } from './processes/process.ts';
import { startCompletion } from './processes/completion/completion.ts';
import { mailJobsCheckpoint, startMailJobRelay } from './processes/mail-jobs/mail-job-relay.ts';
import { startMailerOf } from './processes/mailer/mailer-of-settings.ts';
import { startScheduler } from './processes/scheduler/scheduler.ts';
import type { Projector } from './projector/projector.ts';
import { startProjector } from './projector/start-projector.ts';
import type { ReadModels } from './read-models/read-models.ts';
import { openSqliteReadModels } from './read-models/sqlite/sqlite-read-models.ts';
import type { Records } from './records/records.ts';
import { openSqliteRecords } from './records/sqlite/sqlite-records.ts';
import { KeyRing } from './security/key-ring.ts';
import { keepSecret } from './security/start-secrets.ts';
import { verificationTokens } from './security/verification-token.ts';
import { FolderHeld, type FolderLock, holdFolder } from './sqlite/folder-lock.ts';
import { programVersion } from './runtime/version.ts';

export { FolderHeld, LogMissing };

/** What is bound, each once. The type of a token is that of what it stands for. */
const TOKENS = {
  settings: token<Settings>('settings'),
  log: token<Logger>('log'),
  folderLock: token<FolderLock>('folder lock'),
  eventStore: token<EventStore>('event store'),
  readModels: token<ReadModels>('read models'),
  records: token<Records>('records'),
  jobQueues: token<JobQueues>('job queues'),
  /** Where Surety is reached from outside; settled when it listens. */
  origin: token<PromiseWithResolvers<string>>('origin'),
  secret: token<string>('secret'),
  catalogue: token<Catalogue>('catalogue'),
  commandPorts: token<CommandPorts>('command ports'),
  projector: token<Projector>('projector'),
  metrics: token<Registry>('metrics'),
  adminKey: token<string>('admin key'),
  healthChecks: token<readonly HealthCheck[]>('health checks'),
  keyRing: token<KeyRing>('key ring'),
  httpServer: token<HttpServer>('http server'),
};

function token<T>(name: string): ServiceIdentifier<T> {
  return Symbol(name);
}

/** How long a start waits for a process that is giving up the folder (`decisions`: Running). */
const WAIT_FOR_FOLDER_MS = 10_000;

/** Chooses the adapters: the only place in which they meet the ports. Nothing is opened before it is asked for. */
function bindAll(settings: Settings, log: Logger): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  const inFolder = (name: string): string => join(settings.dataFolder, name);
  container.bind(TOKENS.settings).toConstantValue(settings);
  container.bind(TOKENS.log).toConstantValue(log);
  container
    .bind(TOKENS.folderLock)
    .toResolvedValue(
      async ({ dataFolder }) => await holdFolder(dataFolder, { waitMs: WAIT_FOR_FOLDER_MS }),
      [TOKENS.settings],
    );
  container.bind(TOKENS.eventStore).toResolvedValue(() => openSqliteEventStore({ file: inFolder(FILES.eventLog) }));
  container.bind(TOKENS.readModels).toResolvedValue(() => openSqliteReadModels({ file: inFolder(FILES.readModels) }));
  container.bind(TOKENS.records).toResolvedValue(() => openSqliteRecords({ file: inFolder(FILES.records) }));
  container.bind(TOKENS.jobQueues).toResolvedValue(() => openSqliteJobQueues({ file: inFolder(FILES.jobs), now }));
  container.bind(TOKENS.origin).toConstantValue(Promise.withResolvers());
  container
    .bind(TOKENS.commandPorts)
    .toResolvedValue(commandPorts, [TOKENS.eventStore, TOKENS.records, TOKENS.catalogue, TOKENS.secret]);
  container.bind(TOKENS.projector).toResolvedValue(
    async (eventStore: EventStore, readModels: ReadModels, projectorLog: Logger) =>
      await startProjector({
        eventStore,
        readModels,
        projections: PROJECTIONS,
        log: projectorLog,
        now,
        pause: pauseUnlessAborted,
      }),
    [TOKENS.eventStore, TOKENS.readModels, TOKENS.log],
  );
  container.bind(TOKENS.metrics).toResolvedValue(() => new Registry());
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

function httpServer(
  { publicUrl, rateLimit }: Settings,
  ports: CommandPorts,
  readModels: ReadModels,
  projector: Projector,
  keyRing: KeyRing,
  log: Logger,
  metrics: Registry,
  healthChecks: readonly HealthCheck[],
): HttpServer {
  return createHttpServer({
    commandPorts: ports,
    readModels,
    collections: new Map(PROJECTIONS.map(({ name, version }) => [name, version])),
    projector,
    keyRing,
    log,
    publicUrl,
    rateLimiter:
      rateLimit === undefined ? undefined : new RateLimiter({ perSecond: rateLimit, now: () => performance.now() }),
    metrics,
    version: programVersion(),
    healthChecks,
  });
}

function now(): string {
  return new Date().toISOString();
}

async function pauseUnlessAborted(milliseconds: number, signal: AbortSignal): Promise<void> {
  await pause(milliseconds, undefined, { signal }).catch(() => undefined);
}

/** A process, and the role that runs it. */
interface StartableProcess {
  readonly name: string;
  readonly role: Role;
  readonly start: (parts: ProcessParts, container: Container) => RunningProcess | Promise<RunningProcess>;
}

/** Every process there is, in the order in which they start; they stop in the reverse one. */
const PROCESSES: readonly StartableProcess[] = [
  { name: 'completion', role: 'scheduler', start: startCompletion },
  { name: 'scheduler', role: 'scheduler', start: startScheduler },
  { name: 'mailer', role: 'mailer', start: startMailer },
  { name: 'relay', role: 'relay', start: startRelay },
];

async function startRelay(parts: ProcessParts, container: Container): Promise<RunningProcess> {
  const { eventStore, records } = parts.commandPorts;
  const queues = await container.getAsync(TOKENS.jobQueues);
  return startMailJobRelay({ ...parts, eventStore, checkpoint: mailJobsCheckpoint(records), queues, now });
}

async function startMailer(parts: ProcessParts, container: Container): Promise<RunningProcess> {
  const queues = await container.getAsync(TOKENS.jobQueues);
  const origin = container.get(TOKENS.origin).promise;
  return startMailerOf(container.get(TOKENS.settings), parts, { queues, origin });
}

/** The one place where the clock is read and chance comes in. */
function commandPorts(eventStore: EventStore, records: Records, catalogue: Catalogue, secret: string): CommandPorts {
  return {
    eventStore,
    records,
    catalogue,
    verificationToken: verificationTokens(secret),
    now,
    randomId: randomUUID,
    randomBytes,
    pause: async (milliseconds) => {
      await pause(milliseconds);
    },
  };
}

/** How long a command without a service waits for the read models it must ask. */
const LEVEL_WITHIN_MS = 600_000;

async function levelWith(eventStore: EventStore, projector: Projector): Promise<void> {
  const head = await eventStore.lastPosition();
  if (head === undefined || (await projector.waitFor(head, LEVEL_WITHIN_MS))) return;
  throw new StoreUnavailable('The read models have not caught up with the log');
}

/** The stores of a data folder, held by this process. */
export interface OpenStores {
  readonly container: Container;
  readonly lifecycle: Lifecycle;
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  readonly jobQueues: JobQueues;
  readonly commandPorts: CommandPorts;
  /** Keeps the read models level from now on. */
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
 * Takes the folder and opens the stores in it; `lifecycle` closes them again.
 * @throws {FolderHeld} when another process works in it
 * @throws {LogMissing} when its event log was taken away
 */
export async function openStores(settings: Settings, log: Logger): Promise<OpenStores> {
  const container = bindAll(settings, log);
  const lifecycle = new Lifecycle();
  try {
    const lock = await container.getAsync(TOKENS.folderLock);
    lifecycle.started('folder lock', () => lock.release());
    checkDataFolder(settings.dataFolder);
    const records = await container.getAsync(TOKENS.records);
    lifecycle.started('records', async () => await records.close());
    const eventStore = await container.getAsync(TOKENS.eventStore);
    lifecycle.started('event store', async () => await eventStore.close());
    await mailJobsCheckpoint(records).begin(eventStore);
    const jobQueues = await container.getAsync(TOKENS.jobQueues);
    lifecycle.started('job queues', async () => await jobQueues.close());
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
        if (started === undefined) await levelWith(eventStore, await startProjector());
      }),
    );
    container
      .bind(TOKENS.secret)
      .toConstantValue(settings.secret ?? keepSecret(settings.dataFolder, randomBytes).value);
    return {
      container,
      lifecycle,
      eventStore,
      readModels,
      jobQueues,
      commandPorts: await container.getAsync(TOKENS.commandPorts),
      startProjector,
      startProcesses: async () => await startProcesses(container, lifecycle),
      startServer: async ({ adminKey, healthChecks }) => {
        container.bind(TOKENS.adminKey).toConstantValue(adminKey);
        container.bind(TOKENS.healthChecks).toConstantValue(healthChecks);
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

async function startProcesses(container: Container, lifecycle: Lifecycle): Promise<readonly RunningProcess[]> {
  const parts: ProcessParts = {
    commandPorts: await container.getAsync(TOKENS.commandPorts),
    readModels: await container.getAsync(TOKENS.readModels),
    projector: await container.getAsync(TOKENS.projector),
    log: container.get(TOKENS.log),
    metrics: container.get(TOKENS.metrics),
    pause: pauseUnlessAborted,
  };
  const { roles } = container.get(TOKENS.settings);
  const running: RunningProcess[] = [];
  for (const { name, start } of PROCESSES.filter(({ role }) => roles.includes(role))) {
    try {
      const started = await start(parts, container);
      running.push(started);
      lifecycle.started(name, async () => await started.stop());
    } catch (error) {
      throw new ProcessNotStarted(name, error);
    }
  }
  return running;
}
