import type { Registry } from 'prom-client';
import { PROJECTIONS } from '../../projections/registry.ts';
import type { Role, Settings } from '../config.ts';
import type { Checkpoint } from '../processes/checkpoint.ts';
import { MailCheckpoint } from '../processes/mail-jobs/checkpoint.ts';
import { ProcessNotStarted, type RunningProcess, type StartProcess } from '../processes/process.ts';
import { publicEventsCheckpoint } from '../processes/public-events/relay.ts';
import { isShared, PROJECTOR_ROLE, projectorLease, type SharedProjector } from '../processes/shared-projector.ts';
import {
  declareLeadershipMetric,
  type LeaseParts,
  type NamedStart,
  electLeader,
} from '../processes/leader-election.ts';
import type { Projector } from '../projector/projector.ts';
import type { Records } from '../records/records.ts';
import type { Lifecycle } from './lifecycle.ts';

/** A process, and the role that runs it. */
export interface ProcessDefinition {
  readonly name: string;
  readonly role: Role;
  /** Returns the function that starts the process, every time it leads. Called once. */
  readonly prepare: () => StartProcess | Promise<StartProcess>;
}

export interface ProcessRunnerParts {
  readonly roles: readonly Role[];
  /** Grouped by role, in the order in which they start. They stop in the reverse order. */
  readonly definitions: readonly ProcessDefinition[];
  readonly projector: Projector | SharedProjector;
  /** Undefined where no other process can have the same role. */
  readonly lease: LeaseParts | undefined;
  readonly metrics: Registry;
  readonly lifecycle: Lifecycle;
}

/** Roles of which one process at a time does the work, where several may run. */
const LED_ROLES: readonly Role[] = ['relay', 'scheduler'];

/** The lease of every role that has one. */
export const LEASED_ROLES: readonly string[] = [projectorLease(PROJECTIONS), ...LED_ROLES];

/** The checkpoints of all processes that subscribe to the log. */
export function processCheckpoints(
  records: Records,
  { kafkaBrokers }: Pick<Settings, 'kafkaBrokers'>,
): readonly Checkpoint[] {
  return [new MailCheckpoint(records), ...(kafkaBrokers === undefined ? [] : [publicEventsCheckpoint(records)])];
}

/** Starts the processes of the roles; where several processes have a role, the work begins when this one leads it. */
export class ProcessRunner {
  readonly #parts: ProcessRunnerParts;
  readonly #running: RunningProcess[] = [];
  /** By role, whether this process leads it. */
  readonly #leading = new Map<string, () => boolean>();

  constructor(parts: ProcessRunnerParts) {
    this.#parts = parts;
  }

  /** Starts them in their order. @throws {ProcessNotStarted} */
  async start(): Promise<readonly RunningProcess[]> {
    const { roles, definitions, projector, metrics } = this.#parts;
    if (isShared(projector) && roles.includes('projector')) this.#leading.set(PROJECTOR_ROLE, projector.isLeading);
    for (const [role, ofRole] of Map.groupBy(definitions, ({ role }) => role)) await this.#startRole(role, ofRole);
    if (this.#leading.size > 0) declareLeadershipMetric(metrics, this.#leading);
    return this.#running;
  }

  async #startRole(role: Role, definitions: readonly ProcessDefinition[]): Promise<void> {
    const { lease } = this.#parts;
    const starts: NamedStart[] = [];
    for (const { name, prepare } of definitions)
      starts.push({ name, start: await orNotStarted(name, async () => await prepare()) });
    if (lease !== undefined && LED_ROLES.includes(role)) {
      const turns = electLeader(role, starts, lease);
      this.#leading.set(role, turns.isLeading);
      for (const process of turns.processes) this.#add(process);
    } else {
      for (const { name, start } of starts)
        this.#add(await orNotStarted(name, async () => await Promise.resolve(start(undefined))));
    }
  }

  #add(process: RunningProcess): void {
    this.#running.push(process);
    this.#parts.lifecycle.started(process.name, async () => await process.stop());
  }
}

async function orNotStarted<T>(name: string, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    throw new ProcessNotStarted(name, error);
  }
}
