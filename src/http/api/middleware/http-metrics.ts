import { Counter, Histogram, type Registry } from 'prom-client';
import { COMMANDS } from '#commands/registry.ts';
import { declareGauge } from '#service/observability/process-metrics.ts';
import { isTemporary, Refusal } from '#domain/refusals.ts';
import type { ConnectionLimit } from '../../server/open-connections.ts';
import type { CountCommand, Route } from '../../server/route.ts';

export type ObserveRequest = (route: Route | undefined, method: string, status: number, ms: number) => void;

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export function declareRequestMetrics(metrics: Registry): ObserveRequest {
  const durations = new Histogram({
    name: 'surety_http_request_duration_seconds',
    help: 'Time from the request line until the response was written, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_SECONDS,
    registers: [metrics],
  });
  const limited = new Counter({
    name: 'surety_rate_limited_total',
    help: 'Requests refused because their key exceeded its rate limit',
    registers: [metrics],
  });
  // Cached, because prom-client takes longer to find the histogram of some labels than to observe.
  const histograms = new Map<string, { observe(seconds: number): void }>();
  return (route, method, status, ms) => {
    const path = route?.path ?? 'none';
    const name = `${method} ${status} ${path}`;
    let histogram = histograms.get(name);
    if (histogram === undefined) {
      histogram = durations.labels(method, path, String(status));
      histograms.set(name, histogram);
    }
    histogram.observe(ms / 1000);
    if (status === 429) limited.inc();
  };
}

export function declareCommandMetric(metrics: Registry): CountCommand {
  const commands = new Counter({
    name: 'surety_commands_total',
    help: 'Commands of requests, by outcome: executed, repeated (the same idempotency key again), refused or failed',
    labelNames: ['command', 'outcome'],
    registers: [metrics],
  });
  // An alert on the rate needs the series before the first command.
  for (const { name } of COMMANDS) commands.inc({ command: name, outcome: 'executed' }, 0);
  return async (command, run) => {
    try {
      const executed = await run();
      commands.inc({ command, outcome: executed.replayed ? 'repeated' : 'executed' });
      return executed;
    } catch (error) {
      commands.inc({ command, outcome: error instanceof Refusal && !isTemporary(error) ? 'refused' : 'failed' });
      throw error;
    }
  };
}

/** Declares the metrics of bodies and connections, and returns the function that counts a destroyed connection. */
export function declareConnectionMetrics(
  metrics: Registry,
  bodyMemory: { readonly bytes: number },
): (reason: ConnectionLimit | 'stalled') => void {
  declareGauge(
    metrics,
    {
      name: 'surety_body_bytes',
      help: 'Bytes of bodies in memory: of requests, and of responses that clients have not read',
    },
    (gauge) => gauge.set(bodyMemory.bytes),
  );
  const destroyed = new Counter({
    name: 'surety_connections_destroyed_total',
    help: 'Connections destroyed: for a new one at the limit, with too many open responses, or stalled because the client reads nothing',
    labelNames: ['reason'],
    registers: [metrics],
  });
  for (const reason of ['limit', 'open_responses', 'stalled']) destroyed.inc({ reason }, 0);
  return (reason) => destroyed.inc({ reason });
}
