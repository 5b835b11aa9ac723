import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { environmentFinder } from '../admin/command-input.ts';
import { createApp } from './app.ts';
import { answerBrokenRequest } from './broken-request.ts';
import type { HttpDependencies, HttpTimeouts } from './dependencies.ts';
import { HealthChecks } from '../observability/health-checks.ts';
import { declareClientMetrics, declareCommandMetric, declareRequestMetrics } from './middleware/http-metrics.ts';
import { declareProcessMetrics } from '../observability/process-metrics.ts';
import { lagFailure } from '../projector/lag.ts';
import { declareProjectorGauges } from '../projector/projector-metrics.ts';
import { OpenConnections } from './open-connections.ts';
import { OutageLog } from './middleware/outage-log.ts';
import { originForm } from './middleware/request-line.ts';
import { WaitingResponses } from './middleware/response-limits.ts';
import type { Route } from './route.ts';
import { routersOf } from './routers/routers.ts';

const TIMEOUTS: HttpTimeouts = {
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
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

/** Makes the HTTP server with the Express application. */
export function createHttpServer(dependencies: HttpDependencies): HttpServer {
  let stopped: Promise<void> | undefined;
  const routers = routersOf(dependencies);
  const routes = routers.flat();
  const behind = (): string | undefined => lagFailure(dependencies.projector.status());
  const health = new HealthChecks({ ...dependencies, lagFailure: behind });
  const findEnvironment = environmentFinder(dependencies.commandPorts.eventStore);
  declareProcessMetrics(dependencies, health);
  // Other processes do not observe the projector, so their values would look as if it worked.
  if (health.hasCheck('projector')) declareProjectorGauges(dependencies.metrics, dependencies.projector, health);
  const observe = declareRequestMetrics(dependencies.metrics);
  const isStopping = (): boolean => stopped !== undefined;
  const clients = declareClientMetrics(dependencies.metrics, () => responses.bytes);
  const responses = new WaitingResponses(dependencies.responseLimits, clients.responseCut);
  const outages = outageLogOf(dependencies);
  const countCommand = declareCommandMetric(dependencies.metrics);
  const context = { ...dependencies, health, findEnvironment, routes, countCommand };
  const app = createApp({ context, routers, outages, observe, responses, isStopping });
  const connections = new OpenConnections();
  /** Handles pipelined requests one after the other, so that a connection has one answer in memory. */
  const handleInOrder = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    const earlier = connections.registerResponse(socket, response);
    if (earlier === undefined) return answer(request, response);
    earlier.once('close', () => {
      if (socket.writable) answer(request, response);
    });
  };
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    request.url = originForm(request.url ?? '/');
    void app(request, response);
  };
  const server = createServer({ ...TIMEOUTS, ...dependencies.timeouts, requireHostHeader: false }, handleInOrder);
  if (dependencies.maxConnections !== undefined) server.maxConnections = dependencies.maxConnections;
  server.on('drop', clients.connectionRefused);
  server.on('connection', (socket) => connections.add(socket));
  // Unknown expectations are ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', handleInOrder);
  server.on('clientError', (error, socket) => {
    const answerBroken = (): void => answerBrokenRequest(error, socket);
    const unsent = connections.lastUnsent(socket);
    // After a complete request the error is answered behind its answer, so that an executed command does not seem to be refused.
    if (unsent?.req.complete === true) unsent.once('close', answerBroken);
    else if (unsent?.headersSent === true) socket.destroy();
    else answerBroken();
  });
  return {
    server,
    routes,
    listen: async (port, host) => await listen(server, port, host),
    stop: async () => {
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
  // Connections whose answer started before the stop would stay open until the keep-alive timeout.
  const idle = setInterval(() => {
    server.closeIdleConnections();
    if (performance.now() - startedAt >= INACTIVE_TIMEOUT_MS) connections.closeInactive();
  }, 100);
  await ended;
  clearTimeout(timer);
  clearInterval(idle);
}
