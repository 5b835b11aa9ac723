import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { Container } from 'inversify';
import type { CommandPorts } from '../../commands/execution/ports.ts';
import { PROJECTIONS } from '../../projections/registry.ts';
import { sendsPublicEvents, type Settings, usesJobs } from '../config.ts';
import { InstallationMismatch, type StartupOptions } from './installation-check.ts';
import { commands } from './modules/commands.ts';
import { embeddedStores } from './modules/embedded-stores.ts';
import { http } from './modules/http.ts';
import { processes } from './modules/processes.ts';
import { readSide } from './modules/read-side.ts';
import { serverStores } from './modules/server-stores.ts';
import { openRecords, prepareCheckpoints, requireKnownLog, requireRecords } from './opening.ts';
import { setUp, type SetUpOutcome } from './set-up.ts';
import { TOKENS } from './tokens.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { Lifecycle } from '../runtime/lifecycle.ts';
import { localUrl } from '../http/serving/local-url.ts';
import type { Logger } from '../runtime/logging.ts';
import type { From } from '../processes/checkpoint.ts';
import type { RunningProcess } from '../processes/process.ts';
import { replayPublicEvents } from '../processes/public-events/replay.ts';
import type { TopicLayout } from '../processes/topics.ts';
import type { Projector } from '../projector/projector.ts';
import { collectionsOf } from '../projector/start-projector.ts';
import type { ReadModels } from '../read-models/read-models.ts';
import type { StoredSecret } from '../security/start-secrets.ts';
import { FolderHeld } from '../sqlite/folder-lock.ts';

export { FolderHeld, InstallationMismatch, type StartupOptions, TOKENS };

/**
 * Binds every part by the settings; `src/composition/` is the only place in which adapters meet the ports. Nothing is opened
 * before it is asked for.
 */
function bindAll(settings: Settings, log: Logger, lifecycle: Lifecycle): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(TOKENS.log).toConstantValue(log);
  container.bind(TOKENS.metrics).toConstantValue(new Registry());
  container.bind(TOKENS.lifecycle).toConstantValue(lifecycle);
  const modules = [embeddedStores, serverStores, commands, readSide, processes, http];
  container.load(...modules.map((module) => module(settings)));
  return container;
}

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
  readonly startServer: () => Promise<number>;
  /** The administrator's key. Reading it creates it if neither the settings nor the folder have one. */
  readonly adminKey: () => StoredSecret;
  /** Ends the start: from now on the health checks decide whether the service is ready. */
  readonly completeStart: () => void;
}

/**
 * Opens the stores, and takes the folder if some lie in it; `lifecycle` closes them again.
 * @throws {FolderHeld} when another process works in the folder
 * @throws {InstallationMismatch} when the settings are not those of the installation; nothing was created then
 * @throws {CannotDo} when the book in the folder was moved to servers, its event log is missing, or nothing is set up
 */
export async function openStores(settings: Settings, log: Logger, opening: StartupOptions = {}): Promise<OpenStores> {
  requireRecords(settings, opening);
  const lifecycle = new Lifecycle();
  const container = bindAll(settings, log, lifecycle);
  try {
    // Of one on a server nothing is made by opening it.
    const onServer = settings.eventStoreUrl === undefined ? undefined : await openLog(container, lifecycle);
    if (onServer !== undefined) await requireKnownLog(settings, onServer, opening);
    const records = await openRecords(container, lifecycle, settings, opening);
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
      startProjector: async () => await container.getAsync(TOKENS.projector),
      startProcesses: async () => await container.getAsync(TOKENS.runningProcesses),
      startServer: async () => {
        const server = await container.getAsync(TOKENS.httpServer);
        const port = await server.listen(settings.port, settings.host);
        lifecycle.started('http server', async () => await server.stop());
        container.get(TOKENS.origin).resolve(settings.publicUrl ?? localUrl(settings.host, port));
        return port;
      },
      adminKey: () => container.get(TOKENS.adminKey),
      completeStart: () => {
        container.get(TOKENS.startup).isDone = true;
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
