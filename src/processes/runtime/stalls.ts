import { Counter, type Registry } from 'prom-client';

export type StallCounters = (process: string) => () => void;

/** Declares the stall metric; call it once per registry. It also counts stalls that start and end between two scrapes. */
export function declareStallMetric(metrics: Registry): StallCounters {
  const stalls = new Counter({
    name: 'surety_stalls_total',
    help: 'Stalls: how often a process failed, most often because a store was unavailable, and retried after a pause',
    labelNames: ['process'],
    registers: [metrics],
  });
  return (process) => {
    stalls.inc({ process }, 0);
    return () => stalls.inc({ process });
  };
}
