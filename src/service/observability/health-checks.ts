import { SafeError } from '#stores/shared/errors.ts';
import { withTimeout } from '#stores/shared/timing.ts';

const TIMEOUT_MS = 2_000;
/** A check that takes longer gives a warning. */
const SLOW_MS = 250;

export interface HealthCheck {
  readonly name: string;
  /**
   * Returns the reason why the part is not ready; undefined when it is. The message of a `SafeError` is a reason too;
   * any other error means that the part does not answer.
   */
  readonly check: () => string | undefined | Promise<string | undefined>;
  /**
   * Returns a reason for the operator to look at the part, although it is ready. An exception or a timeout counts as no
   * reason.
   */
  readonly warning?: (() => string | undefined | Promise<string | undefined>) | undefined;
  /** The process serves without the part: a failed check is a warning. */
  readonly isOptional?: boolean;
}

export type CheckedPart = 'event_store' | 'read_models' | 'records' | 'projector';

export interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  /** `failure` makes the process not ready; a `warning` does not. */
  readonly severity?: 'failure' | 'warning';
  readonly reason?: string;
  /** How long the check took; at most the timeout of 2 s. */
  readonly seconds: number;
}

export class HealthChecks {
  readonly #checks: readonly HealthCheck[];
  #running: Promise<readonly CheckResult[]> | undefined;

  constructor(dependencies: CheckedProcess) {
    this.#checks = [...partChecks(dependencies), ...(dependencies.healthChecks ?? [])];
  }

  hasCheck(name: string): boolean {
    return this.#checks.some((check) => check.name === name);
  }

  /** Runs every check and then its warning, each within the timeout. A call during another one gets the same result. */
  async results(): Promise<readonly CheckResult[]> {
    this.#running ??= Promise.all(this.#checks.map(runCheck)).finally(() => {
      this.#running = undefined;
    });
    return await this.#running;
  }
}

interface Pingable {
  ping(): Promise<void>;
}

interface CheckedProcess {
  readonly commandPorts: { readonly eventStore: Pingable; readonly records: Pingable };
  readonly readModels: Pingable;
  /** Returns why the read models are not up to date; undefined when they are. */
  readonly lagFailure: () => string | undefined;
  readonly checkedParts?: readonly CheckedPart[];
  readonly healthChecks?: readonly HealthCheck[];
}

const ALL_PARTS: readonly CheckedPart[] = ['event_store', 'read_models', 'records', 'projector'];

function partChecks({
  commandPorts,
  readModels,
  lagFailure,
  checkedParts = ALL_PARTS,
}: CheckedProcess): readonly HealthCheck[] {
  const checks: readonly HealthCheck[] = [
    pingCheck('event_store', commandPorts.eventStore),
    pingCheck('read_models', readModels),
    pingCheck('records', commandPorts.records),
    { name: 'projector', check: lagFailure },
  ];
  return checks.filter(({ name }) => (checkedParts as readonly string[]).includes(name));
}

/** Makes a check that fails when the part does not answer. */
export function pingCheck(name: string, part: Pingable): HealthCheck {
  const check = async (): Promise<undefined> => {
    await part.ping();
  };
  return { name, check };
}

async function runCheck({ name, check, warning, isOptional = false }: HealthCheck): Promise<CheckResult> {
  const start = performance.now();
  const failure = await withinTimeout(check, `does not answer within ${TIMEOUT_MS / 1000} s`, messageOf);
  const seconds = (performance.now() - start) / 1000;
  if (failure !== undefined) {
    const severity = isOptional ? 'warning' : 'failure';
    return { name, ok: isOptional, severity, reason: failure, seconds };
  }
  const slow = seconds * 1000 < SLOW_MS ? undefined : `answers slowly: after ${seconds.toFixed(1)} s`;
  const reason = (warning && (await withinTimeout(warning, undefined, () => undefined))) ?? slow;
  return reason === undefined ? { name, ok: true, seconds } : { name, ok: true, severity: 'warning', reason, seconds };
}

function messageOf(error: unknown): string {
  return error instanceof SafeError ? error.message : 'does not answer';
}

/** Returns the reason that the function returns, `late` after the timeout, and that of `describe` when it throws. */
async function withinTimeout(
  find: NonNullable<HealthCheck['warning']>,
  late: string | undefined,
  describe: (error: unknown) => string | undefined,
): Promise<string | undefined> {
  const found = async (): Promise<string | undefined> => await find();
  return await withTimeout(found(), TIMEOUT_MS, () => late).catch(describe);
}
