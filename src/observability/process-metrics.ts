import { collectDefaultMetrics, Gauge, type GaugeConfiguration, type Registry } from 'prom-client';
import type { CollectionProgress, Projector, ProjectorStatus } from '../projector/projector.ts';
import type { CheckResult, HealthChecks } from './health-checks.ts';

interface ProcessMetricsDependencies {
  readonly metrics: Registry;
  readonly projector: Pick<Projector, 'status'>;
  readonly version: string;
}

/** Declares the metrics of the process: version, read models and health checks. */
export function declareProcessMetrics(
  { metrics, projector, version }: ProcessMetricsDependencies,
  health: HealthChecks,
): void {
  collectDefaultMetrics({ register: metrics });
  new Gauge({ name: 'surety_info', help: 'Version of Surety', labelNames: ['version'], registers: [metrics] }).set(
    { version },
    1,
  );
  // Other processes do not observe the projector, so their values would look as if it worked.
  if (health.hasCheck('projector')) declareProjectorGauges(metrics, projector, health);
  declareCheckGauges(metrics, health);
}

function declareCheckGauges(metrics: Registry, health: HealthChecks): void {
  const declare = (name: string, help: string, read: (result: CheckResult) => number): void =>
    declareGauge(metrics, { name, help, labelNames: ['check'] }, async (gauge) => {
      for (const result of await health.results()) gauge.set({ check: result.name }, read(result));
    });
  declare('surety_check_ok', 'Result of each check of /readyz: 1 when it succeeds, 0 when it fails', ({ ok }) =>
    Number(ok),
  );
  declare('surety_check_seconds', 'Duration of each check of /readyz; 2 after a timeout', ({ seconds }) => seconds);
}

/**
 * Declares the progress of the read models. Only the leading projector reports single read models. Metrics of the log have no value
 * while the log does not answer, because the last value would be outdated.
 */
export function declareProjectorGauges(
  metrics: Registry,
  projector: Pick<Projector, 'status'>,
  health: Pick<HealthChecks, 'results'>,
): void {
  const declare = (name: string, help: string, read: (status: ProjectorStatus) => number): void =>
    declareGauge(metrics, { name, help }, (gauge) => gauge.set(read(projector.status())));
  const declareForLog = (
    name: string,
    help: string,
    read: (status: ProjectorStatus, answers: boolean) => number | undefined,
  ): void =>
    declareGauge(metrics, { name, help }, async (gauge) => {
      const results = await health.results();
      const answers = results.every(({ name: part, ok }) => ok || part !== 'event_store');
      const value = read(projector.status(), answers);
      if (value === undefined) gauge.remove();
      else gauge.set(value);
    });
  const declareForEach = (name: string, help: string, read: (progress: CollectionProgress) => number): void =>
    declareGauge(metrics, { name, help, labelNames: ['collection'] }, (gauge) => {
      gauge.reset();
      for (const progress of projector.status().collections)
        gauge.set({ collection: progress.collection }, read(progress));
    });
  declareForLog(
    'surety_projector_lag_seconds',
    'Age of the oldest event that the read models do not reflect; no value while the log does not answer',
    // A known lag is valid without the log; a lag of 0 is not.
    ({ lagMs }, answers) => (answers || lagMs > 0 ? lagMs / 1000 : undefined),
  );
  declareForLog(
    'surety_log_position',
    'Last known position of the end of the log; no value while the log does not answer',
    ({ head }, answers) => (answers ? Number(head ?? 0n) : undefined),
  );
  declareForEach('surety_read_model_position', 'Position up to which a read model reflects the log', ({ position }) =>
    Number(position ?? 0n),
  );
  declareForEach(
    'surety_parked_documents',
    'Documents that are parked because an event could not be folded',
    ({ parked }) => parked,
  );
  declare(
    'surety_unroutable_events',
    'Events without a document, of those that this process has folded since its start',
    ({ unroutable }) => unroutable,
  );
}

/** Declares a gauge whose value is read when metrics are collected. */
export function declareGauge(
  metrics: Registry,
  configuration: GaugeConfiguration<string>,
  read: (gauge: Gauge) => void | Promise<void>,
): void {
  metrics.registerMetric(
    new Gauge({
      ...configuration,
      registers: [],
      async collect() {
        await read(this);
      },
    }),
  );
}
