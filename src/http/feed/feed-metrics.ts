import { Counter, type Registry } from 'prom-client';
import type { FeedRefusal } from '#queries/query.ts';
import { declareGauge } from '#service/observability/process-metrics.ts';
import type { FeedPolls } from './feed-polls.ts';

export type FeedMetrics = ReturnType<typeof declareFeedMetrics>;

/** Declares the metrics of the feed; call it once per registry. */
export function declareFeedMetrics(metrics: Registry, polls: Pick<FeedPolls, 'openPolls'>) {
  declareGauge(
    metrics,
    { name: 'surety_feed_polls', help: 'Requests of the feed that wait, or read after they have waited' },
    (gauge) => gauge.set(polls.openPolls),
  );
  const served = new Counter({
    name: 'surety_feed_events_total',
    help: 'Public events in responses of the feed',
    registers: [metrics],
  });
  const refused = new Counter({
    name: 'surety_feed_refused_total',
    help: 'Pages of the feed that were refused, and polls that did not wait',
    labelNames: ['reason'],
    registers: [metrics],
  });
  return {
    countServed: (events: number): void => served.inc(events),
    countRefused: (reason: FeedRefusal): void => refused.inc({ reason }),
  };
}
