import { FolderHeld, type StartupOptions, type OpenStores, openStores } from '../composition/container.ts';
import type { Settings } from '../config.ts';
import type { Position } from '../event-store/event-store.ts';
import { refuseWhileMigrating } from '../migration/mark.ts';
import { isShared } from '../processes/shared-projector.ts';
import type { Projector } from '../projector/projector.ts';
import type { Logger } from '../runtime/logging.ts';
import { CannotDo } from './outcome.ts';

/** What a command opens the stores for. */
interface ToolOptions extends StartupOptions {
  /** Whether the command can reach a service by `--url` instead. Default: no. */
  readonly knowsUrl?: boolean;
}

/**
 * Opens the stores that the settings name.
 * @throws {CannotDo} when another process holds the data folder, something in it cannot be opened, its book was moved to servers, or
 * the installation is not set up, or otherwise
 */
export async function openStoresOrFail(
  settings: Settings,
  log: Logger,
  opening: ToolOptions = {},
): Promise<OpenStores> {
  try {
    return await openStores(settings, log, opening);
  } catch (error) {
    if (error instanceof FolderHeld) {
      const remedy = opening.knowsUrl === true ? 'stop it, or reach it by --url' : 'stop it first';
      throw new CannotDo(`${error.message}: ${remedy}.`, { cause: error });
    }
    if (isSystemError(error)) {
      throw new CannotDo(`The data folder ${settings.dataFolder} cannot be used: ${error.message}.`, { cause: error });
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

/** An error of the operating system: no such folder, no right, no space. */
export function isSystemError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}

/**
 * Does the work on the open stores of this process and closes them, whatever comes. Where the work fails, its error is
 * the one that is thrown: what then does not stop cleanly mostly follows from it, and is logged.
 */
export async function withStores<T>(
  settings: Settings,
  log: Logger,
  work: (stores: OpenStores) => Promise<T>,
  opening?: ToolOptions,
): Promise<T> {
  const stores = await openStoresOrFail(settings, log, opening);
  const { lifecycle } = stores;
  let done: T;
  try {
    await refuseWhileMigrating(stores.commandPorts.records);
    done = await work(stores);
  } catch (error) {
    await lifecycle.stop().catch((err: unknown) => log.warn({ err }, 'Not everything stopped cleanly'));
    throw error;
  }
  await lifecycle.stop();
  return done;
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
