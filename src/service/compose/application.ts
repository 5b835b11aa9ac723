import { Container, type ServiceIdentifier } from 'inversify';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { Registry } from 'prom-client';
import type { CommandPorts } from '#event-sourcing/executor/ports.ts';
import { sendsPublicEvents, type Settings, usesJobs } from '../config/config.ts';
import type { EventStore } from '#stores/event-log/event-log.ts';
import type { HttpServer } from '#http/server/server.ts';
import { refuseMigrated } from '#cli/migration/folder-mark.ts';
import type { StartPosition } from '#processes/runtime/checkpoint.ts';
import type { Logger } from '../observability/logging.ts';
import { OperatorError } from '#stores/shared/errors.ts';
import type { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { replayPublicEvents } from '#processes/relay/replay.ts';
import { missingTopicsSentence } from '#public-events/topics.ts';
import type { Projector } from '#read-side/projector.ts';
import type { ReadModels } from '#stores/read-models/read-models.ts';
import { createInstallation, readInstallation } from '#stores/records/installation.ts';
import type { StoredSecret } from '../security/start-secrets.ts';
import { createsInstallation, requireSameSecret, type StartupOptions } from '../checks/installation-check.ts';
import type { TopicLayout } from './kafka-topics.ts';
import { StopOrder } from './lifecycle.ts';
import { commands } from '../modules/commands.ts';
import { embeddedStores, serverStores } from '../modules/stores.ts';
import { http } from '../modules/http.ts';
import { processes } from '../modules/processes.ts';
import { readSide } from '../modules/read-side.ts';
import { repeatSetUp, setUp, type SetUpOutcome } from './set-up.ts';
import { requireLogOfRecords, requireRecordsOfLog, requireSoundLog } from '../checks/startup-checks.ts';
import { initialValues, requireInitialised } from '#processes/runtime/initial-checkpoints.ts';
import { processCheckpoints } from './process-runner.ts';
import { TOKENS } from './tokens.ts';

import { type FolderLock, findServiceOf } from '#stores/sqlite/folder-lock.ts';
export { FolderLocked } from '#stores/sqlite/folder-lock.ts';
export { findServiceOf };

interface StartSteps {
  /** Runs when the installation is set up and nothing has started. */
  readonly afterSetUp?: () => Promise<void>;
  /** Runs after the HTTP server has started and before the service reports ready. */
  readonly beforeReady?: (url: string) => Promise<void>;
}

/**
 * A process of Surety: the stores of the settings and, after `start`, the service. Defines the order in which parts
 * open and start; they stop in the reverse order.
 */
export class Application {
  readonly #settings: Settings;
  readonly #startup: StartupOptions;
  readonly #lifecycle = new StopOrder();
  readonly #container = new Container({ defaultScope: 'Singleton' });
  readonly #failed = Promise.withResolvers<never>();
  #folderLock: FolderLock | undefined;

  private constructor(settings: Settings, log: Logger, startup: StartupOptions, adapt: (container: Container) => void) {
    this.#settings = settings;
    this.#startup = startup;
    // Nothing waits for it when the start fails.
    this.#failed.promise.catch(() => undefined);
    this.#container.bind(TOKENS.log).toConstantValue(log);
    this.#container.bind(TOKENS.metrics).toConstantValue(new Registry());
    this.#container.bind(TOKENS.lifecycle).toConstantValue(this.#lifecycle);
    const { servers, dataFolder } = settings;
    const stores = servers === undefined ? embeddedStores(dataFolder) : serverStores(servers);
    this.#container.load(stores, ...[commands, readSide, processes, http].map((module) => module(settings)));
    adapt(this.#container);
  }

  /**
   * Opens the stores, and locks the data folder if it holds them.
   * @param adapt replaces parts of the container before the first is resolved, for tests
   * @throws {FolderLocked} when another process has locked the folder
   * @throws {SecretMismatch} when the secret differs from that of the installation; nothing was created
   * @throws {FormatMismatch} when the stores hold data in another format
   * @throws {StoreDamaged} when the event log in the folder is damaged
   * @throws {OperatorError} when the folder was migrated to servers, its event log or its records are missing, its read
   * models reflect another log, or Surety is not set up
   */
  static async open(
    settings: Settings,
    log: Logger,
    startup: StartupOptions = {},
    adapt: (container: Container) => void = () => {},
  ): Promise<Application> {
    const application = new Application(settings, log, startup, adapt);
    try {
      await application.#open();
      return application;
    } catch (error) {
      await application.stop().catch((reason: unknown) => log.error({ err: reason }, 'Surety did not stop cleanly'));
      throw error;
    }
  }

  get eventStore(): EventStore {
    return this.#container.get(TOKENS.eventStore);
  }

  get readModels(): ReadModels {
    return this.#container.get(TOKENS.readModels);
  }

  get commandPorts(): CommandPorts {
    return this.#container.get(TOKENS.commandPorts);
  }

  /** The administrator's key. The first access creates it if neither the settings nor the folder have one. */
  get adminKey(): StoredSecret {
    return this.#container.get(TOKENS.adminKey);
  }

  /** Never resolves, and rejects when the running service cannot go on: its topics are unsuitable. */
  get failed(): Promise<never> {
    return this.#failed.promise;
  }

  /**
   * Creates what the installation lacks, and checks the rest (`set-up.ts`). `start` does it too.
   * @throws {OperatorError}
   * @throws {TopicMismatch}
   */
  async setUp(layout: Partial<TopicLayout> = {}): Promise<SetUpOutcome> {
    const { records, eventStore, services } = this.commandPorts;
    const { randomBytes } = services;
    const topics = await this.#container.getAsync(TOKENS.topics);
    const dependencies = { settings: this.#settings, startup: this.#startup, records, eventStore, randomBytes, topics };
    const outcome = await setUp(dependencies, layout);
    this.#container.get(TOKENS.topicSetUp).failure = outcome.kafkaFailure;
    return outcome;
  }

  /**
   * Resets the relay of public events to a position; `then` runs before a relay can start.
   * @throws {OperatorError} while one runs
   */
  async replay(from: Exclude<StartPosition, 'end'>, then?: () => Promise<void>): Promise<void> {
    await replayPublicEvents(from, this.commandPorts, then);
  }

  async startProjector(): Promise<Projector> {
    return await this.#container.getAsync(TOKENS.projector);
  }

  /**
   * Starts the service: sets up the installation, then starts the projector, the processes of the roles and the HTTP
   * server. Returns the address.
   * @throws {ProcessNotStarted} @throws {TopicMismatch}
   * @throws {OperatorError} when it cannot listen on the configured address
   */
  async start({ afterSetUp, beforeReady }: StartSteps = {}): Promise<{ readonly port: number; readonly url: string }> {
    await this.#setUpService();
    await afterSetUp?.();
    await this.startProjector();
    await this.#container.getAsync(TOKENS.runningProcesses);
    const server = await this.#container.getAsync(TOKENS.httpServer);
    const { host, publicUrl } = this.#settings;
    const port = await listen(server, this.#settings);
    const url = localUrl(host, port);
    this.#lifecycle.onStop('http server', async () => await server.stop());
    const verifications = await this.#container.getAsync(TOKENS.verifications);
    this.#lifecycle.onStop('verifications', async () => await verifications.stop());
    this.#container.get(TOKENS.origin).resolve(publicUrl ?? url);
    await beforeReady?.(url);
    this.#container.get(TOKENS.startup).isDone = true;
    this.#folderLock?.publishAddress(url);
    return { port, url };
  }

  /** Stops all parts, also after a part has failed to stop. @throws {AggregateError} */
  async stop(): Promise<void> {
    this.#folderLock?.publishAddress(undefined);
    await this.#lifecycle.stop();
  }

  /** Sets up the installation. Where Kafka does not answer, its topics are set up as soon as it answers. */
  async #setUpService(): Promise<void> {
    const log = this.#container.get(TOKENS.log);
    const attempt = async (): Promise<StoreUnavailable | undefined> => {
      const { missingTopics, kafkaFailure } = await this.setUp();
      // Only the relay is affected: it is not ready.
      if (missingTopics.length > 0) log.warn({ topics: missingTopics }, missingTopicsSentence(missingTopics));
      return kafkaFailure;
    };
    const failure = await attempt();
    if (failure === undefined) return;
    log.warn({ reason: failure.message }, 'Kafka does not answer: mails and public events wait until it does');
    const stopped = new AbortController();
    this.#lifecycle.onStop('set-up', () => stopped.abort());
    repeatSetUp(attempt, stopped.signal).catch(this.#failed.reject);
  }

  async #open(): Promise<void> {
    const settings = this.#settings;
    if (settings.servers === undefined) await this.#openFolder(settings.dataFolder);
    else await this.#openServers();
    if (usesJobs(settings)) await this.#openStore('job queues', TOKENS.jobQueues);
    if (sendsPublicEvents(settings)) await this.#openStore('public events', TOKENS.publicEvents);
    await this.#openStore('read models', TOKENS.readModels);
    await this.#container.getAsync(TOKENS.commandPorts);
    if (this.#startup.purpose === 'read') return;
    const checkpoints = await this.#container.getAsync(TOKENS.checkpointThread);
    if (checkpoints !== undefined) this.#lifecycle.onStop('checkpoints', async () => await checkpoints.stop());
  }

  /** Opens log and records in the folder, and creates the installation and its checkpoints before the first event. */
  async #openFolder(folder: string): Promise<void> {
    await this.#lockFolder(folder);
    // Opening a store creates its file.
    requireRecordsOfLog(folder);
    await this.#openStore('records', TOKENS.records);
    const records = this.#container.get(TOKENS.records);
    // Refuses another format before the log is opened.
    await readInstallation(records);
    await requireLogOfRecords(folder, records);
    await this.#openStore('event store', TOKENS.eventStore);
    // A verification reads a damaged log.
    if (this.#startup.purpose !== 'read') await requireSoundLog(folder, this.eventStore);
    await createInstallation(records, this.eventStore);
    const initial = await initialValues(processCheckpoints(records, this.#settings), this.eventStore, undefined);
    for (const [name, value] of Object.entries(initial)) await records.replaceValue(name, undefined, value);
  }

  /** Opens log and records on servers, which creates nothing. */
  async #openServers(): Promise<void> {
    const [settings, startup] = [this.#settings, this.#startup];
    await this.#openStore('event store', TOKENS.eventStore);
    await this.#openStore('records', TOKENS.records);
    const records = this.#container.get(TOKENS.records);
    requireSameSecret(await readInstallation(records), settings, startup);
    if (!createsInstallation(startup, settings)) await requireInitialised(processCheckpoints(records, settings));
  }

  async #lockFolder(folder: string): Promise<void> {
    const lock = await this.#container.getAsync(TOKENS.folderLock);
    this.#folderLock = lock;
    this.#lifecycle.onStop('folder lock', () => lock.release());
    // A migration locks the folder, so it cannot end between this check and the work.
    if (this.#startup.purpose !== 'read') refuseMigrated(folder);
  }

  async #openStore(name: string, token: ServiceIdentifier<{ close(): Promise<void> }>): Promise<void> {
    const store = await this.#container.getAsync(token);
    this.#lifecycle.onStop(name, async () => await store.close());
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there; PORT names another port',
  EACCES: 'this user may not listen there',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'there is no host of that name',
};

/**
 * Checks that the service can listen on the configured address, before a start creates anything. Does nothing where a
 * service holds the folder: the lock of the folder names that service.
 * @throws {OperatorError}
 */
export async function requireFreeAddress(settings: Settings): Promise<void> {
  if (settings.servers === undefined && findServiceOf(settings.dataFolder) !== undefined) return;
  const server = createServer();
  const tryAddress = async (port: number, host: string): Promise<number> => {
    await once(server.listen(port, host), 'listening');
    await once(server.close(), 'close');
    return port;
  };
  await listen({ listen: tryAddress }, settings);
}

/** Listens on the configured address and returns the port. @throws {OperatorError} when the address cannot be used */
async function listen(
  server: Pick<HttpServer, 'listen'>,
  { host, port }: Pick<Settings, 'host' | 'port'>,
): Promise<number> {
  try {
    return await server.listen(port, host);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const reason = REASONS[error.code] ?? error.message;
    throw new OperatorError(`Surety cannot listen on ${host}:${port}: ${reason}.`, { cause: error });
  }
}

/** Returns the URL of a listening process for clients on the same machine. */
function localUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/**
 * Returns whether it is an error of the operating system, such as a missing folder, a missing permission or a full
 * disk.
 */
export function isSystemError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}
