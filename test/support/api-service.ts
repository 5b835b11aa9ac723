import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { endRebuild } from '#commands/rebuild/end-rebuild.ts';
import * as resources from '#projections/resources.ts';
import type { CommandPorts } from '#event-sourcing/executor/ports.ts';
import { SequenceQueue } from '#event-sourcing/executor/sequence-queue.ts';
import { StreamCache } from '#event-sourcing/executor/stream-cache.ts';
import { merchantTags } from '#domain/tags.ts';
import { decode, encode } from '#domain/events.ts';
import { PROJECTIONS } from '#projections/registry.ts';
import type { Instant } from '#event-sourcing/time.ts';
import { CertificateThread } from '#service/threads/certificate-thread.ts';
import { PortfolioThread } from '#service/threads/portfolio-thread.ts';
import { Verifications } from '#service/threads/verifications.ts';
import { relayReader, roleReader } from '#service/checks/service-status.ts';
import { readModelCatalogue } from '#service/compose/read-model-catalogue.ts';
import type { EventStore, StoredEvent } from '#stores/event-log/event-log.ts';
import type { HttpDependencies } from '#http/server/dependencies.ts';
import type { HealthCheck } from '#service/observability/health-checks.ts';
import type { RateLimiter } from '#http/api/middleware/rate-limit.ts';
import { PROBLEM } from '#http/reference/openapi/parts.ts';
import { processChecks } from '#service/checks/readiness.ts';
import { createHttpServer, type HttpServer } from '#http/server/server.ts';
import type { ProcessParts, RunningProcess } from '#processes/runtime/process.ts';
import { runSystemCommand } from '#event-sourcing/executor/execute-command.ts';
import { createScheduler, type Scheduler } from './run-scheduler.ts';
import type { Projector } from '#read-side/projector.ts';
import { startProjector } from '#read-side/start-projector.ts';
import type { ReadModels } from '#stores/read-models/read-models.ts';
import type { Records } from '#stores/records/records.ts';
import { createLogger } from '#service/observability/logging.ts';
import { KeyRing } from '#service/security/key-ring.ts';
import { verificationTokens } from '#service/security/verification-token.ts';
import { closedSchema, formatError, schemaValidator } from './closed-schema.ts';
import { requireListedFields } from './service-process.ts';
import { sampleId } from './sample-events.ts';
import { createTranslator } from '#public-events/translate.ts';
import { TRANSLATOR } from './translator.ts';
import { operationCodes, requireLoggedCodes } from './operation-codes.ts';
import { openStoresUnderTest } from './stores-under-test.ts';

/** The administrator's key of every service in these tests. */
export const ADMIN_KEY = 'admin-key-of-the-api-tests-0123456789';

/** The process as the status shows it, the same in every run. */
const THIS_PROCESS = { name: 'surety-1 4711', startedAt: '2026-03-10T09:00:00.000Z' };

/** Secret that signs the tokens of verification links. */
export const SECRET = 'secret-of-the-api-tests-0123456789-abcdef';

/** Parsed JSON of type any: the assertions of the test check it. */
type Json = ReturnType<typeof JSON.parse>;

export interface ApiRequest {
  readonly key?: string | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged; the caller sets Content-Type. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined when it is empty or not JSON. */
  readonly json: Json;
}

export interface ApiService {
  readonly url: string;
  /** The current time, set by the test. */
  readonly clock: { now: Instant };
  /** The log lines so far, as JSON text. */
  readonly logged: string[];
  readonly http: HttpServer;
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  readonly records: Records;
  readonly projector: Projector;
  /** Runs only on demand: move the clock, then `await scheduler.runOnce()`. */
  readonly scheduler: Scheduler;
  /** Dependencies for additional processes. */
  readonly parts: ProcessParts;
  send(method: string, path: string, request?: ApiRequest): Promise<ApiResponse>;
  /** Runs an admin command and returns its result. @throws {Error} when the status is above 201 */
  admin(command: string, body: unknown): Promise<Json>;
  /** Reads the whole log. */
  log(): Promise<readonly StoredEvent[]>;
  stop(): Promise<void>;
}

export interface ApiServiceOptions {
  /** Wraps or replaces the event store. */
  readonly eventStore?: (real: EventStore) => EventStore;
  readonly projector?: (real: Projector) => Pick<Projector, 'waitFor' | 'status' | 'initialBuildProgress'>;
  readonly publicUrl?: string;
  readonly timeouts?: HttpDependencies['timeouts'];
  readonly rateLimiter?: RateLimiter;
  /** Default: `debug`, which logs every request. */
  readonly logLevel?: 'debug' | 'info';
  readonly healthChecks?: readonly HealthCheck[];
  /** Additional options of the HTTP server. */
  readonly http?: Pick<
    HttpDependencies,
    'servesApi' | 'checkedParts' | 'bodyMemoryLimits' | 'maxConnections' | 'trustProxy' | 'consoleFolder'
  > &
    Partial<Pick<HttpDependencies, 'runPortfolio' | 'renderCertificate' | 'startVerification' | 'status'>>;
  /** Run until the service stops and report their health to `/readyz`. A scheduler among them replaces the one that runs on demand. */
  readonly processes?: readonly ((parts: ProcessParts) => RunningProcess | Promise<RunningProcess>)[];
}

/** Starts the service in this process, on empty stores, with a clock that only the test moves. */
export async function startApiService(options: ApiServiceOptions = {}): Promise<ApiService> {
  const clock = { now: '2026-03-10T09:30:00.000Z' };
  const logged: string[] = [];
  const log = createLogger(
    { logLevel: options.logLevel ?? 'debug' },
    { write: (line: string) => void logged.push(line) },
  );
  const stores = await openStoresUnderTest();
  const { eventStore: realStore, readModels, records } = stores;
  const eventStore = options.eventStore?.(realStore) ?? realStore;
  const commandPorts: CommandPorts = {
    eventStore,
    records,
    codec: { decode, encode },
    streamCache: new StreamCache(),
    sequences: new SequenceQueue(),
    tagsOf: merchantTags,
    services: {
      resources,
      catalogue: readModelCatalogue(readModels, async () => {}),
      verificationToken: verificationTokens(SECRET),
      saveBlob: async (bytes) => await records.putBlob(bytes),
      revokeKey: async (keyId) => await records.revokeKey(keyId),
      randomBytes,
    },
    now: () => clock.now,
    randomId: randomUUID,
    pause: async (milliseconds) => await pause(milliseconds),
  };
  const projector = await startProjector({
    eventStore: realStore,
    readModels,
    projections: PROJECTIONS,
    log,
    now: () => clock.now,
    pause: pauseUnlessAborted,
    endRebuild: async (rebuildId, outcome, reason) => {
      await runSystemCommand(endRebuild, { rebuildId, outcome, reason }, commandPorts);
    },
  });
  const metrics = new Registry();
  const parts: ProcessParts = { commandPorts, readModels, projector, log, metrics, pause: pauseUnlessAborted };
  const processes: RunningProcess[] = [];
  for (const start of options.processes ?? []) processes.push(await start(parts));
  const portfolioThread = new PortfolioThread(stores.locations.log);
  const certificateThread = new CertificateThread();
  let verificationCount = 0;
  const verifications = new Verifications({
    locations: stores.locations,
    records,
    reached: () => projector.status().position,
    now: () => clock.now,
    // The same in every run, because the API reference shows it.
    randomId: () => sampleId('verification', (verificationCount += 1)),
    log,
  });
  const http = createHttpServer({
    commandPorts,
    readModels,
    collections: new Map(PROJECTIONS.map(({ name, version }) => [name, version])),
    projector: options.projector?.(projector) ?? projector,
    runPortfolio: portfolioThread.run,
    renderCertificate: certificateThread.render,
    startVerification: async () => await verifications.start(),
    status: {
      readRoles: roleReader({ lease: undefined, ledRoles: new Map(), thisProcess: THIS_PROCESS }),
      readRelay: relayReader({ ...commandPorts, readModels }),
      // The same in every run, because the API reference shows it.
      readDisk: async () => await Promise.resolve({ free: 400 * 2 ** 30, total: 500 * 2 ** 30 }),
    },
    translator: options.publicUrl === undefined ? TRANSLATOR : createTranslator(options.publicUrl),
    keyRing: new KeyRing({ eventStore, records, adminKey: ADMIN_KEY }),
    log,
    publicUrl: options.publicUrl,
    timeouts: options.timeouts,
    rateLimiter: options.rateLimiter,
    metrics,
    version: '0.0.0-test',
    ...options.http,
    healthChecks: [...(options.healthChecks ?? []), ...processChecks({ roles: ['api'] }, processes)],
  });
  const url = `http://127.0.0.1:${await http.listen(0, '127.0.0.1')}`;

  const requireCodeOfOperation = operationCodes(http.routes);
  const send: ApiService['send'] = async (method, path, { key, body, raw, headers = {} } = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(key === undefined ? {} : { 'X-API-Key': key }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(raw === undefined && body === undefined ? {} : { body: raw ?? JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = parseJson(text) as Json;
    if (response.headers.get('content-type')?.startsWith('application/problem+json') && method !== 'HEAD') {
      requireDeclaredProblem(json);
      requireCodeOfOperation(method, path, json.code);
    }
    return { status: response.status, headers: response.headers, text, json };
  };

  let scheduler: Scheduler | undefined;
  return {
    url,
    clock,
    logged,
    http,
    eventStore: realStore,
    readModels,
    records,
    projector,
    get scheduler() {
      scheduler ??= createScheduler(parts);
      return scheduler;
    },
    parts,
    send,
    admin: async (command, body) => {
      const response = await send('POST', `/api/v1/admin/commands/${command}`, { key: ADMIN_KEY, body });
      if (response.status > 201) throw new Error(`${command}: ${response.status} ${response.text}`);
      return response.json.result;
    },
    log: async () => await realStore.readAll({ after: undefined, limit: 1_000_000 }),
    stop: async () => {
      await verifications.stop();
      await http.stop();
      for (const { stop } of processes.toReversed()) await stop();
      await projector.stop();
      await portfolioThread.stop();
      await certificateThread.stop();
      await stores.remove();
      requireListedFields(logged.join('\n'));
      requireLoggedCodes(http.routes, logged);
    },
  };
}

async function pauseUnlessAborted(milliseconds: number, signal: AbortSignal): Promise<void> {
  await pause(milliseconds, undefined, { signal }).catch(() => undefined);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isDeclaredProblem = schemaValidator().compile(closedSchema(PROBLEM) as object);

/** @throws {Error} when a problem differs from the schema of the reference, or has members that it does not declare */
function requireDeclaredProblem(problem: Json): void {
  if (isDeclaredProblem(problem)) return;
  throw new Error(`${JSON.stringify(problem)}: ${(isDeclaredProblem.errors ?? []).map(formatError).join('; ')}`);
}
