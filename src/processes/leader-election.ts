import { Gauge } from 'prom-client';
import { type LeadershipOptions, startLeadership } from './leadership.ts';
import type { ProcessParts, RunningProcess, StartProcess } from './process.ts';

/** What of a lease does not depend on what it is for. */
export type LeaseParts = Pick<LeadershipOptions, 'holder' | 'leases' | 'times' | 'monotonic' | 'pause' | 'log'>;

/** A process that takes turns with those of the same name elsewhere. */
export interface NamedStart {
  readonly name: string;
  readonly start: StartProcess;
}

export interface LeaderElection {
  readonly isLeading: () => boolean;
  /** One for each; stopping any of them ends all. */
  readonly processes: readonly RunningProcess[];
}

/**
 * Runs the processes of a role while this process leads it, in their order; ends them in the reverse one.
 * @param role names the lease, so it never changes
 */
export function electLeader(role: string, processes: readonly NamedStart[], lease: LeaseParts): LeaderElection {
  let running: readonly RunningProcess[] = [];
  const leadership = startLeadership({
    ...lease,
    name: role,
    begin: (fence) => {
      running = processes.map(({ start }) => start(fence));
      return {
        fenced: Promise.race(running.flatMap(({ fenced }) => fenced ?? [])),
        stop: async () => {
          const ending = running.toReversed();
          running = [];
          await stopEach(ending);
        },
      };
    },
  });
  return {
    isLeading: leadership.isLeading,
    processes: processes.map(({ name }, index) => ({
      name,
      check: () => leadership.check() ?? running[index]?.check(),
      warning: () => running[index]?.warning?.(),
      stop: leadership.stop,
    })),
  };
}

/** Each gets the chance to end in order; the first failure is told. */
async function stopEach(processes: readonly RunningProcess[]): Promise<void> {
  const failures: unknown[] = [];
  for (const { stop } of processes) await stop().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** Tells in `/metrics` who leads. Declared once for a registry; read when somebody asks. */
export function declareLeadershipMetric(
  metrics: ProcessParts['metrics'],
  roles: ReadonlyMap<string, () => boolean>,
): void {
  metrics.registerMetric(
    new Gauge({
      name: 'surety_leading',
      help: 'Of what one process at a time does: 1 where it is done, 0 where the process stands by',
      labelNames: ['role'],
      registers: [],
      collect() {
        for (const [role, isLeading] of roles) this.set({ role }, isLeading() ? 1 : 0);
      },
    }),
  );
}
