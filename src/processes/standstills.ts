import { Counter, type Registry } from 'prom-client';

/** Gives what counts, for the process of that name, that it stands still and will try again. */
export type Standstills = (process: string) => () => void;

/**
 * Declares the figure: once for a registry. `/readyz` tells of a fault only while it lasts; this tells of those between two
 * looks as well.
 */
export function standstillFigures(metrics: Registry): Standstills {
  const standstills = new Counter({
    name: 'surety_standstills_total',
    help: 'How often a process could not go on, most often for a store that was away, and tried again after a pause',
    labelNames: ['process'],
    registers: [metrics],
  });
  return (process) => {
    standstills.inc({ process }, 0);
    return () => standstills.inc({ process });
  };
}
