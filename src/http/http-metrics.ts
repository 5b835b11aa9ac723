import { collectDefaultMetrics, Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { HttpDependencies } from './dependencies.ts';
import type { Route } from './route.ts';

/** Counts an answered request. */
export type ObserveRequest = (route: Route | undefined, method: string, status: number, ms: number) => void;

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Declares the metrics of the service; gauges are read when somebody asks for them. */
export function declareMetrics({ metrics, projector, version }: HttpDependencies): ObserveRequest {
  collectDefaultMetrics({ register: metrics });
  new Gauge({ name: 'surety_info', help: 'The program', labelNames: ['version'], registers: [metrics] }).set(
    { version },
    1,
  );
  declareProjectorGauges(metrics, projector);
  return requestObserver(metrics);
}

function declareProjectorGauges(metrics: Registry, projector: HttpDependencies['projector']): void {
  // Made without a registry of their own and registered here, so that nothing hangs on a constructor's side effect.
  const registers: Registry[] = [];
  metrics.registerMetric(
    new Gauge({
      name: 'surety_projector_lag_seconds',
      help: 'How long the oldest event that the read models do not show yet has been waiting',
      registers,
      collect() {
        this.set(projector.status().lagMs / 1000);
      },
    }),
  );
  metrics.registerMetric(
    new Gauge({
      name: 'surety_log_position',
      help: 'Position of the newest event the projector has heard of',
      registers,
      collect() {
        this.set(Number(projector.status().head ?? 0n));
      },
    }),
  );
  metrics.registerMetric(
    new Gauge({
      name: 'surety_read_model_position',
      help: 'Position up to which a read model shows the log',
      labelNames: ['collection'],
      registers,
      collect() {
        for (const { collection, position } of projector.status().collections) {
          this.set({ collection }, Number(position ?? 0n));
        }
      },
    }),
  );
  metrics.registerMetric(
    new Gauge({
      name: 'surety_parked_documents',
      help: 'Documents that stand still because an event could not be folded',
      labelNames: ['collection'],
      registers,
      collect() {
        for (const { collection, parked } of projector.status().collections) this.set({ collection }, parked);
      },
    }),
  );
  metrics.registerMetric(
    new Gauge({
      name: 'surety_unroutable_events',
      help: 'Events since the start that name no document',
      registers,
      collect() {
        this.set(projector.status().unroutable);
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
    if (route?.method === 'POST' && status < 300) served.inc();
  };
}
