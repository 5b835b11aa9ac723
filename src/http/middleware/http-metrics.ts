import { collectDefaultMetrics, Counter, Gauge, type GaugeConfiguration, Histogram, type Registry } from 'prom-client';
import type { CollectionProgress, ProjectorStatus } from '../../projector/projector.ts';
import type { HttpDependencies } from '../dependencies.ts';
import type { HealthChecks, CheckResult } from '../health-checks.ts';
import { type Route, runsCommand } from '../route.ts';

/** Counts an answered request. */
export type ObserveRequest = (route: Route | undefined, method: string, status: number, ms: number) => void;

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Declares the metrics of the service. Gauges are read when the metrics are. */
export function declareMetrics(
  { metrics, projector, version }: Pick<HttpDependencies, 'metrics' | 'projector' | 'version'>,
  health: HealthChecks,
): ObserveRequest {
  collectDefaultMetrics({ register: metrics });
  new Gauge({ name: 'surety_info', help: 'The program', labelNames: ['version'], registers: [metrics] }).set(
    { version },
    1,
  );
  // A process that only relays, mails or schedules projects no read model: its metrics would say that all is well.
  if (health.hasCheck('projector')) declareProjectorGauges(metrics, projector, health);
  declareCheckGauges(metrics, health);
  return requestObserver(metrics);
}

/** Declares metrics of the checks of `/readyz`, so that an operator who watches metrics only sees every failure. */
function declareCheckGauges(metrics: Registry, health: HealthChecks): void {
  const gauge = (name: string, help: string, read: (finding: CheckResult) => number): void =>
    declareGauge(metrics, { name, help, labelNames: ['check'] }, async (own) => {
      for (const finding of await health.results()) own.set({ check: finding.name }, read(finding));
    });
  gauge('surety_check_ok', 'Of each check of /readyz: 1 where it is in order, 0 where it is not', ({ ok }) =>
    Number(ok),
  );
  gauge(
    'surety_check_seconds',
    'How long each check took to answer, a read of a store for example; 2: it did not',
    ({ seconds }) => seconds,
  );
}

/**
 * Declares the progress of the read models. Only the active projector reports single read models. A metric that only the log can give
 * is left out while the log does not answer: its last value would look as if nothing had happened since.
 */
export function declareProjectorGauges(
  metrics: Registry,
  projector: Pick<HttpDependencies['projector'], 'status'>,
  health: Pick<HealthChecks, 'results'>,
): void {
  const gauge = (name: string, help: string, read: (status: ProjectorStatus) => number): void =>
    declareGauge(metrics, { name, help }, (own) => own.set(read(projector.status())));
  const gaugeOfLog = (
    name: string,
    help: string,
    read: (status: ProjectorStatus, answers: boolean) => number | undefined,
  ): void =>
    declareGauge(metrics, { name, help }, async (own) => {
      const results = await health.results();
      const answers = results.every(({ name: part, ok }) => ok || part !== 'event_store');
      const value = read(projector.status(), answers);
      if (value === undefined) own.remove();
      else own.set(value);
    });
  const gaugeOfEach = (name: string, help: string, read: (progress: CollectionProgress) => number): void =>
    declareGauge(metrics, { name, help, labelNames: ['collection'] }, (own) => {
      own.reset();
      for (const progress of projector.status().collections)
        own.set({ collection: progress.collection }, read(progress));
    });
  gaugeOfLog(
    'surety_projector_lag_seconds',
    'How long the oldest event that the read models do not show yet has been waiting; none: the log does not answer',
    // An event that waits goes on waiting; whether none waits, only the log can tell.
    ({ lagMs }, answers) => (answers || lagMs > 0 ? lagMs / 1000 : undefined),
  );
  gaugeOfLog(
    'surety_log_position',
    'Position of the newest event the projector has heard of; none: the log does not answer',
    ({ head }, answers) => (answers ? Number(head ?? 0n) : undefined),
  );
  gaugeOfEach('surety_read_model_position', 'Position up to which a read model shows the log', ({ position }) =>
    Number(position ?? 0n),
  );
  gaugeOfEach(
    'surety_parked_documents',
    'Documents that stand still because an event could not be folded',
    ({ parked }) => parked,
  );
  gauge(
    'surety_unroutable_events',
    'Events that name no document, of those that this process has folded since its start',
    ({ unroutable }) => unroutable,
  );
}

/** Declares the metrics of clients that do not read or are too many, and returns the functions that count them. */
export function declareClientMetrics(
  metrics: Registry,
  waitingBytes: () => number,
): { readonly responseCut: () => void; readonly connectionRefused: () => void } {
  declareGauge(
    metrics,
    { name: 'surety_response_bytes_waiting', help: 'Bytes of responses that wait in the process for clients to read' },
    (own) => own.set(waitingBytes()),
  );
  const counter = (name: string, help: string): (() => void) => {
    const counted = new Counter({ name, help, registers: [metrics] });
    return () => counted.inc();
  };
  return {
    responseCut: counter('surety_responses_cut_total', 'Responses cut because their client read nothing for 30 s'),
    connectionRefused: counter('surety_connections_refused_total', 'Connections refused because there were too many'),
  };
}

/** Declares a gauge that is read when the metrics are. */
function declareGauge(
  metrics: Registry,
  what: GaugeConfiguration<string>,
  read: (own: Gauge) => void | Promise<void>,
): void {
  // Made without a registry of its own and registered here, so that nothing hangs on a constructor's side effect.
  metrics.registerMetric(
    new Gauge({
      ...what,
      registers: [],
      async collect() {
        await read(this);
      },
    }),
  );
}

function requestObserver(metrics: Registry): ObserveRequest {
  const durations = new Histogram({
    name: 'surety_http_request_duration_seconds',
    help: 'From the request line to the last byte handed over, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_SECONDS,
    registers: [metrics],
  });
  const served = new Counter({
    name: 'surety_commands_total',
    help: 'Commands that were carried out or had been before',
    registers: [metrics],
  });
  const limited = new Counter({
    name: 'surety_rate_limited_total',
    help: 'Requests refused because their key sent more than it may',
    registers: [metrics],
  });
  // Looking up a child by its labels costs more than counting; there are few of them.
  const children = new Map<string, { observe(seconds: number): void }>();
  return (route, method, status, ms) => {
    const path = route?.path ?? 'none';
    const name = `${method} ${status} ${path}`;
    let child = children.get(name);
    if (child === undefined) {
      child = durations.labels(method, path, String(status));
      children.set(name, child);
    }
    child.observe(ms / 1000);
    if (status === 429) limited.inc();
    if (route !== undefined && runsCommand(route) && status < 300) served.inc();
  };
}
