import type { Registry } from 'prom-client';
import { PROJECTIONS } from '#projections/registry.ts';
import type { ProcessRole, Settings } from '../config/config.ts';
import type { Checkpoint } from '#processes/runtime/checkpoint.ts';
import { ProcessNotStarted, type RunningProcess, type StartProcess } from '#processes/runtime/process.ts';
import { publicEventsCheckpoint } from '#processes/relay/relay.ts';
import { isShared, PROJECTOR_ROLE, projectorLease, type SharedProjector } from '#processes/lease/shared-projector.ts';
import {
  declareLeadershipMetric,
  type LeadingSince,
  type LeaseSettings,
  type NamedProcess,
  electLeader,
} from '#processes/lease/leader-election.ts';
import type { Projector } from '#read-side/projector.ts';
import type { Records } from '#stores/records/records.ts';
import type { StopOrder } from './lifecycle.ts';
import { mailCheckpoint } from '#processes/mails/mail-job-relay.ts';

export interface ProcessDefinition {
  readonly name: string;
  readonly role: ProcessRole;
  /** Called once. Returns the function that starts the process, which is called each time it becomes the leader. */
  readonly prepare: () => StartProcess | Promise<StartProcess>;
}

interface ProcessesToStart {
  readonly roles: readonly ProcessRole[];
  /** Grouped by role, in the order in which they start. They stop in the reverse order. */
  readonly definitions: readonly ProcessDefinition[];
  readonly projector: Projector | SharedProjector;
  /** Undefined on embedded stores, where no other process can have the same role. */
  readonly lease: LeaseSettings | undefined;
  /** Gets the roles for which this process is a candidate. */
  readonly ledRoles: Map<string, LeadingSince>;
  readonly metrics: Registry;
  readonly lifecycle: StopOrder;
}

/** Roles in which only the leader works. The projector elects its leader itself. */
const ELECTED_ROLES: readonly ProcessRole[] = ['relay', 'scheduler'];

/** The roles of which one process at a time is the leader, each with the name of its lease. */
export const LEASES: ReadonlyMap<string, string> = new Map([
  [PROJECTOR_ROLE, projectorLease(PROJECTIONS)],
  ...ELECTED_ROLES.map((role) => [role, role] as const),
]);

export const LEASED_ROLES: readonly string[] = [...LEASES.values()];

export function processCheckpoints(records: Records, { servers }: Pick<Settings, 'servers'>): readonly Checkpoint[] {
  return [mailCheckpoint(records), ...(servers === undefined ? [] : [publicEventsCheckpoint(records)])];
}

/**
 * Starts the processes of the roles in their order; on servers, roles with leader election work only while this process
 * is the leader.
 * @throws {ProcessNotStarted}
 */
export async function startProcesses({
  roles,
  definitions,
  projector,
  lease,
  ledRoles,
  metrics,
  lifecycle,
}: ProcessesToStart): Promise<readonly RunningProcess[]> {
  const running: RunningProcess[] = [];
  const add = (process: RunningProcess): void => {
    running.push(process);
    lifecycle.onStop(process.name, async () => await process.stop());
  };
  if (isShared(projector) && roles.includes('projector')) ledRoles.set(PROJECTOR_ROLE, projector.leadingSince);
  for (const [role, ofRole] of Map.groupBy(definitions, (definition) => definition.role)) {
    const starts: NamedProcess[] = [];
    for (const { name, prepare } of ofRole)
      starts.push({ name, start: await wrapStartError(name, async () => await prepare()) });
    if (lease !== undefined && ELECTED_ROLES.includes(role)) {
      const election = electLeader(role, starts, lease);
      ledRoles.set(role, election.leadingSince);
      election.processes.forEach(add);
    } else {
      for (const { name, start } of starts)
        add(await wrapStartError(name, async () => await Promise.resolve(keepRunning(name, start))));
    }
  }
  if (ledRoles.size > 0) declareLeadershipMetric(metrics, ledRoles);
  return running;
}

/**
 * Starts a process that is alone in its role, and starts it again after a save of unknown outcome made the next one
 * fail.
 */
function keepRunning(name: string, start: StartProcess): RunningProcess {
  let running = start();
  let isStopping = false;
  const restartWhenTakenOver = async (): Promise<void> => {
    while (running.takenOver !== undefined) {
      await running.takenOver;
      await running.stop();
      if (isStopping) return;
      running = start();
    }
  };
  void restartWhenTakenOver();
  return {
    name,
    check: () => running.check(),
    warning: () => running.warning?.(),
    stop: async () => {
      isStopping = true;
      await running.stop();
    },
  };
}

async function wrapStartError<T>(name: string, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    throw new ProcessNotStarted(name, error);
  }
}
