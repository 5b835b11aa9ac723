import { Counter, Gauge } from 'prom-client';
import type { EventStore, Position } from '../../event-store/event-store.ts';
import type { ProcessParts } from '../runtime/process.ts';
import { readForMetric } from '../runtime/metrics.ts';

export interface PublicEventMetrics {
  /** @param position every public event up to it was acknowledged; undefined: this process no longer sends public events */
  readonly recordProgress: (position: Position | undefined, messages: number) => void;
}

/** Declares the metrics of public events; call it once per registry. */
export function declarePublicEventMetrics(
  metrics: ProcessParts['metrics'],
  eventStore: Pick<EventStore, 'lastPosition'>,
): PublicEventMetrics {
  let position: Position | undefined;
  const sent = new Counter({
    name: 'surety_public_events_sent_total',
    help: 'Public events that Kafka has acknowledged to this process, including repeats',
    registers: [metrics],
  });
  metrics.registerMetric(
    new Gauge({
      name: 'surety_public_events_position',
      help: 'Position in the log up to which every public event is in Kafka; only in the process that sends them',
      registers: [],
      collect() {
        if (position === undefined) this.remove();
        else this.set(Number(position));
      },
    }),
  );
  metrics.registerMetric(
    new Gauge({
      name: 'surety_public_events_lag',
      help: 'Distance of surety_public_events_position from the end of the log; 0: every public event is in Kafka; absent: unknown',
      registers: [],
      async collect() {
        const end = position === undefined ? undefined : await readForMetric(eventStore.lastPosition());
        if (end === undefined || position === undefined) this.remove();
        else this.set(Math.max(0, Number(end - position)));
      },
    }),
  );
  return {
    recordProgress: (upTo, messages) => {
      position = upTo;
      if (messages > 0) sent.inc(messages);
    },
  };
}
