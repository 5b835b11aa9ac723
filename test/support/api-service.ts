import type { Container } from 'inversify';
import { PROBLEM } from '#http/reference/openapi/parts.ts';
import type { HttpDependencies } from '#http/server/dependencies.ts';
import type { HttpServer } from '#http/server/server.ts';
import type { Instant } from '#event-sourcing/time.ts';
import type { ProcessParts, StartProcess } from '#processes/runtime/process.ts';
import { BEFORE_FIRST_EVENT, type Projector } from '#read-side/projector.ts';
import { Application } from '#service/compose/application.ts';
import { TOKENS } from '#service/compose/tokens.ts';
import { type ProcessRole, readSettings, type Settings } from '#service/config/config.ts';
import type { HealthCheck } from '#service/observability/health-checks.ts';
import { createLogger } from '#service/observability/logging.ts';
import type { EventStore, StoredEvent } from '#stores/event-log/event-log.ts';
import type { ReadModels } from '#stores/read-models/read-models.ts';
import type { Records } from '#stores/records/records.ts';
import { closedSchema, formatError, schemaValidator } from './closed-schema.ts';
import { operationCodes, requireLoggedCodes } from './operation-codes.ts';
import { createScheduler, type Scheduler } from './run-scheduler.ts';
import { requireListedFields } from './service-process.ts';
import { createStoresUnderTest } from './stores-under-test.ts';
import { TRANSLATOR } from './translator.ts';

/** The administrator's key of every service in these tests. */
export const ADMIN_KEY = 'admin-key-of-the-api-tests-0123456789';

/** Secret that signs the tokens of verification links. */
export const SECRET = 'secret-of-the-api-tests-0123456789-abcdef';

/** Parsed JSON of type any: the assertions of the test check it. */
type Json = ReturnType<typeof JSON.parse>;

/** Longest wait for the read models of a service that starts. */
const STARTED_WITHIN_MS = 2_000;

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
  /** Default: `api` alone. */
  readonly roles?: readonly ProcessRole[];
  /** Wraps the event store. */
  readonly eventStore?: (real: EventStore) => EventStore;
  /** Wraps the projector as the HTTP server sees it. */
  readonly projector?: (real: HttpDependencies['projector']) => HttpDependencies['projector'];
  readonly publicUrl?: string;
  /** Default: `debug`, which logs every request. */
  readonly logLevel?: 'debug' | 'info';
  /** Additional health checks. */
  readonly healthChecks?: readonly HealthCheck[];
  /** Replaces dependencies of the HTTP server. */
  readonly http?: Partial<HttpDependencies>;
  /** Additional processes, which run until the service stops and report their health to `/readyz`. */
  readonly processes?: readonly {
    readonly name: string;
    readonly prepare: (parts: ProcessParts) => StartProcess | Promise<StartProcess>;
  }[];
}

/**
 * Starts the service in this process, on empty stores, with a clock that only the test moves. It is composed as
 * `surety serve` does it, with the role `api` alone, so that nothing runs in the background but the projector.
 */
export async function startApiService(options: ApiServiceOptions = {}): Promise<ApiService> {
  const clock = { now: '2026-03-10T09:30:00.000Z' };
  const logged: string[] = [];
  const log = createLogger(
    { logLevel: options.logLevel ?? 'debug' },
    { write: (line: string) => void logged.push(line) },
  );
  const stores = await createStoresUnderTest();
  const settings: Settings = {
    ...readSettings({ PORT: '0', SURETY_ADMIN_KEY: ADMIN_KEY, SURETY_SECRET: SECRET, PUBLIC_URL: options.publicUrl }),
    ...stores.settings,
    roles: options.roles ?? ['api'],
  };
  const container = Promise.withResolvers<Container>();
  const application = await Application.open(settings, log, { purpose: 'setup' }, (loaded) => {
    replaceParts(loaded, options, clock);
    container.resolve(loaded);
  });
  const { url } = await application.start();
  const parts = await (await container.promise).getAsync(TOKENS.processParts);
  const http = await (await container.promise).getAsync(TOKENS.httpServer);
  const { eventStore, readModels } = application;
  const { records } = application.commandPorts;
  const projector = await application.startProjector();
  await projector.waitFor(BEFORE_FIRST_EVENT, STARTED_WITHIN_MS);

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
    eventStore,
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
    log: async () => await eventStore.readAll({ after: undefined, limit: 1_000_000 }),
    stop: async () => {
      await application.stop();
      await stores.remove();
      requireListedFields(logged.join('\n'));
      requireLoggedCodes(http.routes, logged);
    },
  };
}

function replaceParts(
  container: Container,
  { publicUrl, eventStore, projector, processes = [], healthChecks = [], http }: ApiServiceOptions,
  clock: ApiService['clock'],
): void {
  container.onActivation(TOKENS.system, (_, system) => ({ ...system, now: () => clock.now }));
  // One process for the time of a test needs none of them.
  container.rebind(TOKENS.checkpointThread).toConstantValue(undefined);
  container.rebind(TOKENS.lease).toConstantValue(undefined);
  container.rebind(TOKENS.topics).toConstantValue(undefined);
  if (publicUrl === undefined) container.rebind(TOKENS.translator).toConstantValue(TRANSLATOR);
  if (eventStore !== undefined) container.onActivation(TOKENS.eventStore, (_, real) => eventStore(real));
  for (const { name, prepare } of processes)
    container
      .bind(TOKENS.process)
      .toResolvedValue(
        (parts) => ({ name, role: 'scheduler', prepare: async () => await prepare(parts) }),
        [TOKENS.processParts],
      );
  container.onActivation(TOKENS.httpDependencies, (_, real) => ({
    ...real,
    // Whether or not the console was built.
    consoleFolder: undefined,
    maxConnections: undefined,
    projector: projector?.(real.projector) ?? real.projector,
    healthChecks: [...healthChecks, ...(real.healthChecks ?? [])],
    ...http,
  }));
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
