import { Counter, Gauge } from 'prom-client';
import type { EventStore, Position } from '../../event-store/event-store.ts';
import type { ProcessParts } from '../process.ts';
import { readForMetric } from '../read-for-metric.ts';

/** What the relay of public events tells of itself in `/metrics`. */
export interface PublicEventMetrics {
  /** Everything up to the position was told, with so many messages more; undefined: nothing is known here any more. */
  readonly told: (position: Position | undefined, messages: number) => void;
}

/** Declares the figures: once for a registry. */
export function publicEventMetrics(
  metrics: ProcessParts['metrics'],
  eventStore: Pick<EventStore, 'lastPosition'>,
): PublicEventMetrics {
  let position: Position | undefined;
  const sent = new Counter({
    name: 'surety_public_events_sent_total',
    help: 'Public events that Kafka has acknowledged to this process, repeats included',
    registers: [metrics],
  });
  metrics.registerMetric(
    new Gauge({
      name: 'surety_public_events_position',
      help: 'Position in the log up to which every public event is in Kafka, where this process sends them',
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
      help: 'How far that position is behind the end of the log; 0: everything is in Kafka; none: it is not known here',
      registers: [],
      async collect() {
        const end = position === undefined ? undefined : await readForMetric(eventStore.lastPosition());
        if (end === undefined || position === undefined) this.remove();
        else this.set(Math.max(0, Number(end - position)));
      },
    }),
  );
  return {
    told: (upTo, messages) => {
      position = upTo;
      if (messages > 0) sent.inc(messages);
    },
  };
}
