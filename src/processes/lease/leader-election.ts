import type { Instant } from '#event-sourcing/time.ts';
import { declareGauge } from '#service/observability/process-metrics.ts';
import { Leadership, type LeadershipOptions } from './leadership.ts';
import type { ProcessParts, RunningProcess, StartProcess } from '../runtime/process.ts';

export type LeaseSettings = Pick<
  LeadershipOptions,
  'holder' | 'leases' | 'times' | 'monotonic' | 'now' | 'pause' | 'log'
>;

export interface NamedProcess {
  readonly name: string;
  readonly start: StartProcess;
}

/**
 * Runs the processes of a role while this service leads the role; starts them in order and stops them in reverse order.
 * @param role name of the lease, so it must never change
 */
export function electLeader(role: string, processes: readonly NamedProcess[], lease: LeaseSettings) {
  let running: readonly RunningProcess[] = [];
  const leadership = new Leadership({
    ...lease,
    name: role,
    startWork: () => {
      running = processes.map(({ start }) => start());
      return {
        takenOver: Promise.race(running.flatMap(({ takenOver }) => takenOver ?? [])),
        stop: async () => {
          const ending = running.toReversed();
          running = [];
          await stopEach(ending);
        },
      };
    },
  });
  return {
    leadingSince: leadership.leadingSince,
    /** One for each process of the role; stopping any of them stops all. */
    processes: processes.map(
      ({ name }, index): RunningProcess => ({
        name,
        check: () => leadership.check() ?? running[index]?.check(),
        warning: () => running[index]?.warning?.(),
        stop: leadership.stop,
      }),
    ),
  };
}

async function stopEach(processes: readonly RunningProcess[]): Promise<void> {
  const failures: unknown[] = [];
  for (const { stop } of processes) await stop().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** Returns since when this process leads a role, by its own clock; undefined while it stands by. */
export type LeadingSince = () => Instant | undefined;

/** The roles for which this process is a candidate. */
export type LedRoles = ReadonlyMap<string, LeadingSince>;

export function declareLeadershipMetric(metrics: ProcessParts['metrics'], roles: LedRoles): void {
  const leading = {
    name: 'surety_leading',
    help: 'Whether this process leads the role: 1 while it leads, 0 while it stands by',
    labelNames: ['role'],
  };
  declareGauge(metrics, leading, (gauge) => {
    for (const [role, leadingSince] of roles) gauge.set({ role }, leadingSince() === undefined ? 0 : 1);
  });
}
