import { lagFailure } from '../projector/caught-up.ts';
import type { HealthCheck, HttpDependencies, CheckedPart } from './dependencies.ts';

/** How long a check may take. */
const TIMEOUT_MS = 2_000;
/** A part that takes longer to answer gets a warning. */
const SLOW_MS = 250;

/** The result of a check. */
export interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  /** `failure` makes the process not ready; a `warning` does not. */
  readonly severity?: 'failure' | 'warning';
  /** Reason of the failure or warning. */
  readonly reason?: string;
  /** How long the check took; at most the timeout of 2 s. */
  readonly seconds: number;
}

/** Runs the checks of every part of the process. */
export class HealthChecks {
  readonly #checks: readonly HealthCheck[];
  #underWay: Promise<readonly CheckResult[]> | undefined;

  constructor(dependencies: CheckedProcess) {
    this.#checks = [...ownChecks(dependencies), ...(dependencies.healthChecks ?? [])];
  }

  /** Returns whether there is a check of this name. */
  hasCheck(name: string): boolean {
    return this.#checks.some((check) => check.name === name);
  }

  /** Runs every check, within the timeout. A call during another one gets the same result. */
  async results(): Promise<readonly CheckResult[]> {
    this.#underWay ??= Promise.all(this.#checks.map(runCheck)).finally(() => {
      this.#underWay = undefined;
    });
    return await this.#underWay;
  }
}

/** The parts that are checked. */
export type CheckedProcess = Pick<
  HttpDependencies,
  'commandPorts' | 'readModels' | 'projector' | 'checkedParts' | 'healthChecks'
>;

const ALL_PARTS: readonly CheckedPart[] = ['event_store', 'read_models', 'records', 'projector'];

function ownChecks({
  commandPorts,
  readModels,
  projector,
  checkedParts = ALL_PARTS,
}: CheckedProcess): readonly HealthCheck[] {
  const answers = (name: CheckedPart, store: { ping(): Promise<void> }) => ({
    name,
    check: async () => {
      await store.ping();
      return undefined;
    },
  });
  const checks = [
    answers('event_store', commandPorts.eventStore),
    answers('read_models', readModels),
    answers('records', commandPorts.records),
    { name: 'projector' as const, check: async () => await Promise.resolve(lagFailure(projector.status())) },
  ];
  return checks.filter(({ name }) => checkedParts.includes(name));
}

async function runCheck({ name, check, warning }: HealthCheck): Promise<CheckResult> {
  const began = performance.now();
  const failure = await failureOf(check);
  const seconds = (performance.now() - began) / 1000;
  if (failure !== undefined) return { name, ok: false, severity: 'failure', reason: failure, seconds };
  const slow = seconds * 1000 < SLOW_MS ? undefined : `answers slowly: after ${seconds.toFixed(1)} s`;
  const reason = warning?.() ?? slow;
  return reason === undefined ? { name, ok: true, seconds } : { name, ok: true, severity: 'warning', reason, seconds };
}

async function failureOf(check: HealthCheck['check']): Promise<string | undefined> {
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(() => late.resolve(`does not answer within ${TIMEOUT_MS / 1000} s`), TIMEOUT_MS);
  try {
    return await Promise.race([check(), late.promise]);
  } catch {
    return 'does not answer';
  } finally {
    clearTimeout(timer);
  }
}
