import { Counter, type Registry } from 'prom-client';
import { declareGauge } from '../../observability/process-metrics.ts';
import type { FeedPolls } from './feed-polls.ts';

export type FeedMetrics = ReturnType<typeof declareFeedMetrics>;

/** Declares the metrics of the feed; call it once per registry. */
export function declareFeedMetrics(metrics: Registry, polls: Pick<FeedPolls, 'count'>) {
  declareGauge(metrics, { name: 'surety_feed_polls', help: 'Requests that wait for an event of the feed' }, (gauge) =>
    gauge.set(polls.count),
  );
  const served = new Counter({
    name: 'surety_feed_events_total',
    help: 'Public events that the feed has served',
    registers: [metrics],
  });
  return { countServed: (events: number): void => served.inc(events) };
}
