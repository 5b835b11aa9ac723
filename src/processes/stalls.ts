import { Counter, type Registry } from 'prom-client';

/** Gives what counts, for the process of that name, that it stands still and will try again. */
export type Stalls = (process: string) => () => void;

/**
 * Declares the figure: once for a registry. `/readyz` tells of a fault only while it lasts; this tells of those between two
 * looks as well.
 */
export function stallMetrics(metrics: Registry): Stalls {
  const stalls = new Counter({
    name: 'surety_stalls_total',
    help: 'How often a process could not go on, most often for a store that was away, and tried again after a pause',
    labelNames: ['process'],
    registers: [metrics],
  });
  return (process) => {
    stalls.inc({ process }, 0);
    return () => stalls.inc({ process });
  };
}
