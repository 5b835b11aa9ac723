import { Counter, Gauge, type Registry } from 'prom-client';

/** The scheduler in `/metrics`. */
export interface SchedulerMetrics {
  /** Undefined: this process does not lead. */
  readonly due: (policies: number | undefined) => void;
  /** Undefined: this process does not lead. */
  readonly holds: (holds: boolean | undefined) => void;
  readonly acted: (kind: 'activation' | 'renewal') => void;
  readonly failed: () => void;
}

/** Declares them; once for a registry. */
export function schedulerMetrics(metrics: Registry): SchedulerMetrics {
  const registers = [metrics];
  const due = new Gauge({
    name: 'surety_scheduler_due',
    help: 'Policies whose activation or renewal is due and not done, when the scheduler last looked',
    registers,
  });
  const holds = new Gauge({
    name: 'surety_scheduler_holds',
    help: 'Whether the scheduler waits for the operator, because its clock disagrees with the time of its last round: 1 or 0',
    registers,
  });
  const actions = new Counter({
    name: 'surety_scheduler_actions_total',
    help: 'Policies that the scheduler activated or renewed',
    labelNames: ['kind'],
    registers,
  });
  const failures = new Counter({
    name: 'surety_scheduler_failures_total',
    help: 'Activations and renewals that were due and could not be done; the log names the policy',
    registers,
  });
  due.remove();
  holds.remove();
  for (const kind of ['activation', 'renewal']) actions.inc({ kind }, 0);
  return {
    due: (policies) => (policies === undefined ? due.remove() : due.set(policies)),
    holds: (isHolding) => (isHolding === undefined ? holds.remove() : holds.set(Number(isHolding))),
    acted: (kind) => actions.inc({ kind }),
    failed: () => failures.inc(),
  };
}
