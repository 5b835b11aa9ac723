import { Counter, Gauge, type Registry } from 'prom-client';

export interface SchedulerMetrics {
  /** Undefined: this process does not lead. */
  readonly setDue: (policies: number | undefined) => void;
  /** Undefined: this process does not lead. */
  readonly setPaused: (isPaused: boolean | undefined) => void;
  readonly acted: (kind: 'activation' | 'renewal') => void;
  readonly failed: () => void;
}

/** Declares the metrics of the scheduler; call it once per registry. */
export function declareSchedulerMetrics(metrics: Registry): SchedulerMetrics {
  const registers = [metrics];
  const due = new Gauge({
    name: 'surety_scheduler_due',
    help: 'Policies whose activation or renewal is due and not done after the last run of the scheduler; during a run those of the page in progress and those that failed',
    registers,
  });
  const paused = new Gauge({
    name: 'surety_scheduler_paused',
    help: 'Whether the scheduler is paused until the operator acts, because its clock disagrees with a reference: 1 or 0',
    registers,
  });
  const actions = new Counter({
    name: 'surety_scheduler_actions_total',
    help: 'Activations and renewals done by the scheduler, by kind',
    labelNames: ['kind'],
    registers,
  });
  const failures = new Counter({
    name: 'surety_scheduler_failures_total',
    help: 'Activations and renewals that were due and failed; the log names the policy',
    registers,
  });
  due.remove();
  paused.remove();
  for (const kind of ['activation', 'renewal']) actions.inc({ kind }, 0);
  return {
    setDue: (policies) => (policies === undefined ? due.remove() : due.set(policies)),
    setPaused: (isPaused) => (isPaused === undefined ? paused.remove() : paused.set(Number(isPaused))),
    acted: (kind) => actions.inc({ kind }),
    failed: () => failures.inc(),
  };
}
