import type { Registry } from 'prom-client';
import type { HealthChecks } from '#service/observability/health-checks.ts';
import { declareGauge } from '#service/observability/process-metrics.ts';
import type { CollectionProgress, Projector, ProjectorStatus } from './projector.ts';

/**
 * Declares the progress of the read models. Only the leading projector reports single read models. Metrics of the log
 * have no value while the log does not answer, because the last value would be outdated.
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
    read: (status: ProjectorStatus, isReachable: boolean) => number | undefined,
  ): void =>
    declareGauge(metrics, { name, help }, async (gauge) => {
      const results = await health.results();
      const isReachable = results.every(({ name: part, ok }) => ok || part !== 'event_store');
      const value = read(projector.status(), isReachable);
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
    ({ lagMs }, isReachable) => (isReachable || lagMs > 0 ? lagMs / 1000 : undefined),
  );
  declareForLog(
    'surety_log_position',
    'Last known position of the end of the log; no value while the log does not answer',
    ({ head }, isReachable) => (isReachable ? Number(head ?? 0n) : undefined),
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
