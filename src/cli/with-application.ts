import type { StartupOptions } from '#service/checks/installation-check.ts';
import type { Settings } from '#service/config/config.ts';
import { remedyOfDamaged } from '#service/config/data-folder.ts';
import type { Position } from '#stores/event-log/event-log.ts';
import { refuseUnfinishedMigration } from './migration/migrate.ts';
import { isShared } from '#processes/lease/shared-projector.ts';
import { BEFORE_FIRST_EVENT, type Projector } from '#read-side/projector.ts';
import type { Logger } from '#service/observability/logging.ts';
import { Application, FolderLocked, isSystemError } from '#service/compose/application.ts';
import { StoreDamaged } from '#stores/shared/store-unavailable.ts';
import { OperatorError } from './outcome.ts';

interface ToolOptions extends StartupOptions {
  /** True when the command accepts `--url`, for the error message. Default: false. */
  readonly knowsUrl?: boolean;
}

/**
 * Opens the application and translates errors into sentences for the operator.
 * @throws {OperatorError} when another process holds the data folder, a file in it cannot be opened or is damaged, it
 * was migrated to servers, or the installation is not set up or has other settings
 */
export async function openApplication(
  settings: Settings,
  log: Logger,
  options: ToolOptions = {},
): Promise<Application> {
  try {
    return await Application.open(settings, log, options);
  } catch (error) {
    if (error instanceof FolderLocked) {
      const remedy = options.knowsUrl === true ? 'stop it, or use it with --url' : 'stop it first';
      throw new OperatorError(`${error.message}: ${remedy}.`, { cause: error });
    }
    if (isSystemError(error)) {
      throw new OperatorError(`The data folder ${settings.dataFolder} cannot be used: ${error.message}.`, {
        cause: error,
      });
    }
    throw withRemedy(error);
  }
}

function withRemedy(error: unknown): unknown {
  if (!(error instanceof StoreDamaged)) return error;
  return new OperatorError(`${error.message}. ${remedyOfDamaged(error.file)}`, { cause: error });
}

/**
 * Runs the work of a command that accepts `--url` on the stores: with the role projector only, so that it updates the
 * read models when no service does and opens no job queue, whatever SURETY_ROLES it inherits.
 */
export async function withTool<T>(
  settings: Settings,
  log: Logger,
  work: (application: Application) => Promise<T>,
  purpose: StartupOptions['purpose'] = 'use',
): Promise<T> {
  return await withApplication({ ...settings, roles: ['projector'] }, log, work, { purpose, knowsUrl: true });
}

/**
 * Opens the application, runs the work and stops the application in any case. If the work fails, its error is thrown
 * and a failure to stop is only logged, because it is mostly a consequence.
 */
export async function withApplication<T>(
  settings: Settings,
  log: Logger,
  work: (application: Application) => Promise<T>,
  options?: ToolOptions,
): Promise<T> {
  const application = await openApplication(settings, log, options);
  let result: T;
  try {
    await refuseUnfinishedMigration(application.commandPorts.records);
    result = await work(application);
  } catch (error) {
    await application.stop().catch((err: unknown) => log.warn({ err }, 'The application did not stop cleanly'));
    throw withRemedy(error);
  }
  await application.stop();
  return result;
}

const CHECK_INTERVAL_MS = 1_000;
/** A projector in another process counts as stalled after this time without progress. No batch takes that long. */
const STALLED_AFTER_MS = 120_000;

/**
 * Waits until the projector reaches a position. Returns the reason if it stalls before.
 * @param onProgress called about once a second with the position reached
 */
export async function stallBefore(
  projector: Projector,
  position: Position,
  stalledAfterMs = STALLED_AFTER_MS,
  onProgress: (reached: Position) => void = () => {},
): Promise<string | undefined> {
  let last = { position: projector.status().position, at: performance.now() };
  while (!(await projector.waitFor(position, Math.min(CHECK_INTERVAL_MS, stalledAfterMs)))) {
    const { failure, position: reached } = projector.status();
    onProgress(reached ?? 0n);
    if (failure !== undefined) return failure;
    // A projector in this process reports a failure itself.
    const isElsewhere = isShared(projector) && !projector.isLeading();
    if (!isElsewhere || reached !== last.position) last = { position: reached, at: performance.now() };
    else if (performance.now() - last.at >= stalledAfterMs) return noProgress(stalledAfterMs);
  }
  return undefined;
}

/** Waits until the projector has caught up with the log. @throws {OperatorError} when the read models are stalled */
export async function requireCaughtUp({ eventStore }: Application, projector: Projector): Promise<void> {
  const head = await eventStore.lastPosition();
  const failure = await stallBefore(projector, head ?? BEFORE_FIRST_EVENT);
  if (failure !== undefined) throw new OperatorError(`The read models are stalled: ${failure}.`);
}

function noProgress(milliseconds: number): string {
  return `no progress for ${milliseconds / 1_000} s: no projector is running, or the leader hangs; \
start one, or check its log output and its /readyz`;
}
