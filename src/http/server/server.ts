import { once } from 'node:events';
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { environmentFinder } from '../api/handlers/command-input.ts';
import { createApp } from './app.ts';
import { BodyMemory } from '../api/bodies/body-memory.ts';
import type { HttpDependencies, HttpTimeouts } from './dependencies.ts';
import { HealthChecks } from '#service/observability/health-checks.ts';
import {
  declareCommandMetric,
  declareConnectionMetrics,
  declareRequestMetrics,
} from '../api/middleware/http-metrics.ts';
import { declareProcessMetrics } from '#service/observability/process-metrics.ts';
import { declareProjectorGauges } from '#read-side/projector-metrics.ts';
import { declareFeedMetrics, FeedPolls } from '../feed/feed-polls.ts';
import { RequestLimit } from '../api/handlers/request-limit.ts';
import { OpenConnections } from './open-connections.ts';
import { OutageLog } from '../api/middleware/outage-log.ts';
import { originForm } from '../api/middleware/request-line.ts';
import type { Route } from './route.ts';
import { routersOf } from '../api/routers/routers.ts';
import { lagFailure } from '#read-side/projector.ts';

const TIMEOUTS: HttpTimeouts = {
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  stalledResponseTimeout: 30_000,
};
const STOP_TIMEOUT_MS = 10_000;
/** Time limit of connections without a complete request when the service stops. */
const INACTIVE_TIMEOUT_MS = 1_000;

export interface HttpServer {
  readonly server: Server;
  readonly routes: readonly Route[];
  readonly listen: (port: number, host: string) => Promise<number>;
  /** Refuses new connections, and waits up to 10 s for requests in flight. A second call waits for the same end. */
  readonly stop: () => Promise<void>;
}

export function createHttpServer(dependencies: HttpDependencies): HttpServer {
  let stopped: Promise<void> | undefined;
  const routers = routersOf(dependencies);
  const routes = routers.flat();
  const behind = (): string | undefined => lagFailure(dependencies.projector.status());
  const health = new HealthChecks({ ...dependencies, lagFailure: behind });
  const findEnvironment = environmentFinder(dependencies.commandPorts.eventStore);
  declareProcessMetrics(dependencies.metrics, dependencies.version, health);
  // Other processes do not observe the projector, so their values would look as if it worked.
  if (health.hasCheck('projector')) declareProjectorGauges(dependencies.metrics, dependencies.projector, health);
  const observe = declareRequestMetrics(dependencies.metrics);
  const isStopping = (): boolean => stopped !== undefined;
  const bodyMemory = new BodyMemory(dependencies.bodyMemoryLimits);
  const countDestroyed = declareConnectionMetrics(dependencies.metrics, bodyMemory);
  const outages = outageLogOf(dependencies);
  const countCommand = declareCommandMetric(dependencies.metrics);
  const { maxConnections = Number.POSITIVE_INFINITY } = dependencies;
  // Waiting polls must leave connections to other requests.
  const feedPolls = new FeedPolls({ ...dependencies, maxPolls: Math.floor(maxConnections / 4) });
  const feedMetrics = declareFeedMetrics(dependencies.metrics, feedPolls);
  const context = {
    ...dependencies,
    health,
    findEnvironment,
    routes,
    bodyMemory,
    countCommand,
    feedPolls,
    feedMetrics,
    feedLimit: new RequestLimit({ subject: 'pages of the feed', perCaller: 4, total: 16, waiting: 12 }),
    downloadLimit: new RequestLimit({ subject: 'downloads', perCaller: 8, total: 32 }),
    replayLimit: new RequestLimit({ subject: 'histories and past states', perCaller: 2, total: 8, waiting: 62 }),
    certificateLimit: new RequestLimit({ subject: 'certificates', perCaller: 1, waiting: 31 }),
  };
  const timeouts = { ...TIMEOUTS, ...dependencies.timeouts };
  const { stalledResponseTimeout } = timeouts;
  const onStalled = (): void => countDestroyed('stalled');
  const app = createApp({ context, routers, outages, observe, isStopping, stalledResponseTimeout, onStalled });
  const connections = new OpenConnections({ maxConnections, onDestroyed: countDestroyed });
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    if (!connections.addResponse(request.socket, response)) return;
    request.url = originForm(request.url ?? '/');
    // Node gives a response its socket when those before it are sent, so that a connection has one response in memory.
    if (response.socket !== null) return void app(request, response);
    response.once('socket', (socket: Socket) => {
      // The timer of the response before it is still set.
      socket.setTimeout(0);
      void app(request, response);
    });
  };
  // Express gives each request and response its prototypes, which is slow unless they have them already.
  const expressClasses = {
    IncomingMessage: withPrototype(IncomingMessage, app.request),
    ServerResponse: withPrototype(ServerResponse, app.response),
  };
  const server = createServer({ ...timeouts, ...expressClasses, requireHostHeader: false }, handle);
  server.on('connection', (socket) => connections.add(socket));
  // Unknown expectations are ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', handle);
  server.on('clientError', (error, socket) => {
    // The client must not take the refusal for the response to an earlier request, which may be executed.
    if (!socket.writable || connections.hasOpenResponse(socket)) socket.destroy();
    else socket.end(`HTTP/1.1 ${statusOf(error)}\r\nConnection: close\r\n\r\n`, () => socket.destroy());
  });
  return {
    server,
    routes,
    listen: async (port, host) => await listen(server, port, host),
    stop: async () => {
      feedPolls.stop();
      stopped ??= stop(server, connections);
      await stopped;
      outages.stop();
    },
  };
}

function outageLogOf(dependencies: HttpDependencies): OutageLog {
  const stores = new HealthChecks({
    ...dependencies,
    lagFailure: () => undefined,
    checkedParts: ['event_store', 'read_models', 'records'],
    healthChecks: [],
  });
  return new OutageLog({
    log: dependencies.log,
    results: async () => await stores.results(),
    monotonic: () => performance.now(),
    pause: async (milliseconds, signal) =>
      await pauseFor(milliseconds, undefined, { signal, ref: false }).catch(() => undefined),
  });
}

/** Returns the status line that Node sends without a listener for broken requests. */
function statusOf({ code }: NodeJS.ErrnoException): string {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return '408 Request Timeout';
  return code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
}

async function listen(server: Server, port: number, host: string): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

async function stop(server: Server, connections: OpenConnections): Promise<void> {
  if (!server.listening) return;
  const ended = once(server.close(), 'close');
  const timer = setTimeout(() => server.closeAllConnections(), STOP_TIMEOUT_MS);
  const startedAt = performance.now();
  // Connections whose response started before the stop would stay open until the keep-alive timeout.
  const idle = setInterval(() => {
    server.closeIdleConnections();
    if (performance.now() - startedAt >= INACTIVE_TIMEOUT_MS) connections.destroyInactive();
  }, 100);
  await ended;
  clearTimeout(timer);
  clearInterval(idle);
}

/** Returns a constructor like `base`, whose objects have this prototype. */
function withPrototype<C extends new (...args: never[]) => object>(base: C, prototype: object): C {
  const made = function (...args: never[]): object {
    return Reflect.construct(base, args, made) as object;
  };
  made.prototype = prototype;
  return made as unknown as C;
}
