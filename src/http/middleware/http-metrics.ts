import { Counter, Histogram, type Registry } from 'prom-client';
import { COMMANDS } from '../../../commands/registry.ts';
import { declareGauge } from '../../observability/process-metrics.ts';
import { Refusal } from '../../domain/refusals.ts';
import type { CountCommand, Route } from '../route.ts';

export type ObserveRequest = (route: Route | undefined, method: string, status: number, ms: number) => void;

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Declares the metrics of requests, and returns the function that counts a request. */
export function declareRequestMetrics(metrics: Registry): ObserveRequest {
  const durations = new Histogram({
    name: 'surety_http_request_duration_seconds',
    help: 'Time from the request line until the answer was written, by route and status',
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

/** Declares the metric of commands, and returns the function that counts one. */
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
      commands.inc({ command, outcome: error instanceof Refusal && !error.isTemporary ? 'refused' : 'failed' });
      throw error;
    }
  };
}

/** Declares the metrics of slow and refused clients, and returns the functions that count them. */
export function declareClientMetrics(
  metrics: Registry,
  waitingBytes: () => number,
): { readonly responseCut: () => void; readonly connectionRefused: () => void } {
  declareGauge(
    metrics,
    { name: 'surety_response_bytes_waiting', help: 'Bytes of responses in memory that clients have not read yet' },
    (gauge) => gauge.set(waitingBytes()),
  );
  const counter = (name: string, help: string): (() => void) => {
    const counted = new Counter({ name, help, registers: [metrics] });
    return () => counted.inc();
  };
  return {
    responseCut: counter('surety_responses_cut_total', 'Responses cut because the client read nothing for 30 s'),
    connectionRefused: counter('surety_connections_refused_total', 'Connections refused because of the limit'),
  };
}
