import { Counter } from 'prom-client';
import { declareGauge } from '#service/observability/process-metrics.ts';
import type { EventStore, Position } from '#stores/event-log/event-log.ts';
import { type ProcessParts, readForMetric } from '../runtime/process.ts';

export type PublicEventMetrics = ReturnType<typeof declarePublicEventMetrics>;

/** Declares the metrics of public events; call it once per registry. */
export function declarePublicEventMetrics(
  metrics: ProcessParts['metrics'],
  eventStore: Pick<EventStore, 'lastPosition'>,
) {
  let position: Position | undefined;
  const sent = new Counter({
    name: 'surety_public_events_sent_total',
    help: 'Public events that Kafka has acknowledged to this process, including repeats',
    registers: [metrics],
  });
  const declare = (name: string, help: string, read: () => Promise<number | undefined>): void =>
    declareGauge(metrics, { name, help }, async (gauge) => {
      const value = await read();
      if (value === undefined) gauge.remove();
      else gauge.set(value);
    });
  declare(
    'surety_public_events_position',
    'Position in the log up to which every public event is in Kafka; only in the process that sends them',
    async () => (position === undefined ? undefined : Number(position)),
  );
  declare(
    'surety_public_events_lag',
    'Distance of surety_public_events_position from the end of the log; 0: every public event is in Kafka; absent: unknown',
    async () => {
      const end = position === undefined ? undefined : await readForMetric(eventStore.lastPosition());
      return end === undefined || position === undefined ? undefined : Math.max(0, Number(end - position));
    },
  );
  return {
    /**
     * @param upTo every public event up to it was acknowledged; undefined: this process no longer sends public events
     */
    recordProgress: (upTo: Position | undefined, messages: number): void => {
      position = upTo;
      if (messages > 0) sent.inc(messages);
    },
  };
}
