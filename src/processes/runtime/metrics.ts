import { Counter, type Registry } from 'prom-client';
import { withTimeout } from '../../timing.ts';

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

const TIMEOUT_MS = 2_000;

/** Returns what a store answers within 2 s; undefined when it fails or is late, so that the other metrics can be scraped during an outage. */
export async function readForMetric<T>(response: Promise<T>): Promise<T | undefined> {
  return await withTimeout(response, TIMEOUT_MS, () => undefined).catch(() => undefined);
}
