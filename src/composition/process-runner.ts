import type { Registry } from 'prom-client';
import { PROJECTIONS } from '../../projections/registry.ts';
import type { ProcessRole, Settings } from '../config.ts';
import type { Checkpoint } from '../processes/subscription/checkpoint.ts';
import { ProcessNotStarted, type RunningProcess, type StartProcess } from '../processes/runtime/process.ts';
import { publicEventsCheckpoint } from '../processes/public-events/relay.ts';
import {
  isShared,
  PROJECTOR_ROLE,
  projectorLease,
  type SharedProjector,
} from '../processes/leader-election/shared-projector.ts';
import {
  declareLeadershipMetric,
  type LeaseSettings,
  type NamedProcess,
  electLeader,
} from '../processes/leader-election/leader-election.ts';
import type { Projector } from '../projector/projector.ts';
import type { Records } from '../records/records.ts';
import type { StopOrder } from './lifecycle.ts';
import { mailCheckpoint } from '../processes/mail-jobs/mail-job-relay.ts';

export interface ProcessDefinition {
  readonly name: string;
  readonly role: ProcessRole;
  /** Called once. Returns the function that starts the process, which is called each time it becomes the leader. */
  readonly prepare: () => StartProcess | Promise<StartProcess>;
}

export interface ProcessRunnerDependencies {
  readonly roles: readonly ProcessRole[];
  /** Grouped by role, in the order in which they start. They stop in the reverse order. */
  readonly definitions: readonly ProcessDefinition[];
  readonly projector: Projector | SharedProjector;
  /** Undefined on embedded stores, where no other process can have the same role. */
  readonly lease: LeaseSettings | undefined;
  readonly metrics: Registry;
  readonly lifecycle: StopOrder;
}

/** Roles in which only the leader works. The projector elects its leader itself. */
const ELECTED_ROLES: readonly ProcessRole[] = ['relay', 'scheduler'];

export const LEASED_ROLES: readonly string[] = [projectorLease(PROJECTIONS), ...ELECTED_ROLES];

export function processCheckpoints(
  records: Records,
  { kafkaBrokers }: Pick<Settings, 'kafkaBrokers'>,
): readonly Checkpoint[] {
  return [mailCheckpoint(records), ...(kafkaBrokers === undefined ? [] : [publicEventsCheckpoint(records)])];
}

/** Starts the processes of the roles; on servers, roles with leader election work only while this process is the leader. */
export class ProcessRunner {
  readonly #dependencies: ProcessRunnerDependencies;
  readonly #running: RunningProcess[] = [];
  readonly #isLeading = new Map<string, () => boolean>();

  constructor(dependencies: ProcessRunnerDependencies) {
    this.#dependencies = dependencies;
  }

  async start(): Promise<readonly RunningProcess[]> {
    const { roles, definitions, projector, metrics } = this.#dependencies;
    if (isShared(projector) && roles.includes('projector')) this.#isLeading.set(PROJECTOR_ROLE, projector.isLeading);
    for (const [role, ofRole] of Map.groupBy(definitions, ({ role }) => role)) await this.#startRole(role, ofRole);
    if (this.#isLeading.size > 0) declareLeadershipMetric(metrics, this.#isLeading);
    return this.#running;
  }

  async #startRole(role: ProcessRole, definitions: readonly ProcessDefinition[]): Promise<void> {
    const { lease } = this.#dependencies;
    const starts: NamedProcess[] = [];
    for (const { name, prepare } of definitions)
      starts.push({ name, start: await wrapStartError(name, async () => await prepare()) });
    if (lease !== undefined && ELECTED_ROLES.includes(role)) {
      const election = electLeader(role, starts, lease);
      this.#isLeading.set(role, election.isLeading);
      for (const process of election.processes) this.#add(process);
    } else {
      for (const { name, start } of starts)
        this.#add(await wrapStartError(name, async () => await Promise.resolve(start(undefined))));
    }
  }

  #add(process: RunningProcess): void {
    this.#running.push(process);
    this.#dependencies.lifecycle.onStop(process.name, async () => await process.stop());
  }
}

async function wrapStartError<T>(name: string, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    throw new ProcessNotStarted(name, error);
  }
}
