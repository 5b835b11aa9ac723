import { collectDefaultMetrics, Counter, Gauge, type GaugeConfiguration, type Registry } from 'prom-client';
import type { CheckResult, HealthChecks } from './health-checks.ts';
import { stderrLog } from './logging.ts';

export function declareProcessMetrics(metrics: Registry, version: string, health: HealthChecks): void {
  collectDefaultMetrics({ register: metrics });
  new Gauge({ name: 'surety_info', help: 'Version of Surety', labelNames: ['version'], registers: [metrics] }).set(
    { version },
    1,
  );
  declareCheckGauges(metrics, health);
  declareLogCounters(metrics);
}

function declareLogCounters(metrics: Registry): void {
  const declare = (name: string, help: string, read: () => number): void => {
    const collect = function (this: Counter): void {
      this.reset();
      this.inc(read());
    };
    metrics.registerMetric(new Counter({ name, help, registers: [], collect }));
  };
  declare(
    'surety_log_write_failures_total',
    'Failed writes of log lines to stderr: the disk is full, or the pipe is full or closed',
    () => stderrLog.failures,
  );
  declare('surety_log_lines_dropped_total', 'Log lines that could not be written', () => stderrLog.dropped);
}

function declareCheckGauges(metrics: Registry, health: HealthChecks): void {
  const declare = (name: string, help: string, read: (result: CheckResult) => number): void =>
    declareGauge(metrics, { name, help, labelNames: ['check'] }, async (gauge) => {
      for (const result of await health.results()) gauge.set({ check: result.name }, read(result));
    });
  declare('surety_check_ok', 'Result of each check of /readyz: 1 when it succeeds, 0 when it fails', ({ ok }) =>
    Number(ok),
  );
  declare('surety_check_warning', '1 while a check of /readyz warns and does not fail', ({ severity }) =>
    Number(severity === 'warning'),
  );
  declare('surety_check_seconds', 'Duration of each check of /readyz; 2 after a timeout', ({ seconds }) => seconds);
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
