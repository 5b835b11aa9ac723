import { Application, FolderLocked } from '../composition/application.ts';
import type { StartupOptions } from '../composition/installation-check.ts';
import type { Settings } from '../config.ts';
import type { Position } from '../event-store/event-store.ts';
import { refuseWhileMigrating } from '../migration/mark.ts';
import { isShared } from '../processes/shared-projector.ts';
import type { Projector } from '../projector/projector.ts';
import type { Logger } from '../observability/logging.ts';
import { isSystemError } from '../composition/system-error.ts';
import { OperatorError } from './outcome.ts';

/** What a command opens the application for. */
interface ToolOptions extends StartupOptions {
  /** Whether the command can reach a service by `--url` instead. Default: no. */
  readonly knowsUrl?: boolean;
}

/**
 * Opens the application, with sentences for what the operator can do.
 * @throws {OperatorError} when another process holds the data folder, something in it cannot be opened, it was migrated to servers, or
 * the installation is not set up, or otherwise
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
      const remedy = options.knowsUrl === true ? 'stop it, or reach it by --url' : 'stop it first';
      throw new OperatorError(`${error.message}: ${remedy}.`, { cause: error });
    }
    if (isSystemError(error)) {
      throw new OperatorError(`The data folder ${settings.dataFolder} cannot be used: ${error.message}.`, {
        cause: error,
      });
    }
    throw error;
  }
}

/**
 * Returns the settings of a tool: it moves the read models on when no other process does, whatever roles the service beside it has,
 * whose environment it may have inherited. It has nothing to do with jobs, so neither a broker nor their file is opened.
 */
export function asTool(settings: Settings): Settings {
  return { ...settings, roles: ['projector'] };
}

/**
 * Does the work with the opened application and stops it in any case. Where the work fails, its error is thrown: a part that then
 * does not stop cleanly mostly fails because of it, and is logged.
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
    await refuseWhileMigrating(application.commandPorts.records);
    result = await work(application);
  } catch (error) {
    await application.stop().catch((err: unknown) => log.warn({ err }, 'Not everything stopped cleanly'));
    throw error;
  }
  await application.stop();
  return result;
}

/** How often the projector is asked whether it stands still. */
const LOOK_EVERY_MS = 1_000;
/** A projector in another process that has not moved on for so long is waited for no longer: no batch takes that to write. */
const STANDS_STILL_AFTER_MS = 120_000;

/** Waits until the read models reflect the log up to a position; resolves with the reason when they stand still before. */
export async function failureToReach(
  projector: Projector,
  position: Position,
  standsStillAfterMs = STANDS_STILL_AFTER_MS,
): Promise<string | undefined> {
  let seen = { position: projector.status().position, at: performance.now() };
  while (!(await projector.waitFor(position, Math.min(LOOK_EVERY_MS, standsStillAfterMs)))) {
    const { failure, position: reached } = projector.status();
    if (failure !== undefined) return failure;
    // One in this process that cannot go on says why.
    const isElsewhere = isShared(projector) && !projector.isLeading();
    if (!isElsewhere || reached !== seen.position) seen = { position: reached, at: performance.now() };
    else if (performance.now() - seen.at >= standsStillAfterMs) return noProgress(standsStillAfterMs);
  }
  return undefined;
}

function noProgress(milliseconds: number): string {
  return `no progress for ${milliseconds / 1_000} s: no projector runs, or the one that leads hangs; \
start one, or see what its log and its /readyz say`;
}
