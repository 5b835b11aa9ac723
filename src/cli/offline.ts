import {
  type Beginning,
  CannotSetUp,
  FolderHeld,
  LogMissing,
  NotBegun,
  type OpenStores,
  openStores,
} from '../container.ts';
import type { Settings } from '../config.ts';
import type { Position } from '../event-store/event-store.ts';
import { MigrationUnderWay, refuseWhileMigrating } from '../migration/mark.ts';
import type { Projector } from '../projector/projector.ts';
import type { Logger } from '../runtime/logging.ts';
import { CannotDo } from './outcome.ts';

/**
 * Opens the stores that the settings name. @throws {CannotDo} when another process holds the data folder, something in it cannot
 * be opened, or it is not known where processes begin
 */
export async function openFolder(settings: Settings, log: Logger, beginning?: Beginning): Promise<OpenStores> {
  try {
    return await openStores(settings, log, beginning);
  } catch (error) {
    if (error instanceof FolderHeld) {
      throw new CannotDo(`${error.message}: stop it, or reach it by --url.`, { cause: error });
    }
    if (error instanceof NotBegun) throw new CannotDo(error.message, { cause: error });
    if (error instanceof LogMissing) throw new CannotDo(`${error.message}.`, { cause: error });
    if (isSystemError(error)) {
      throw new CannotDo(`The data folder ${settings.dataFolder} cannot be used: ${error.message}.`, { cause: error });
    }
    throw error;
  }
}

/** Makes the topics that are missing. @throws {CannotDo} when one is there and not as it must be */
export async function setUpBroker(stores: OpenStores, layout: Parameters<OpenStores['setUpBroker']>[0]): Promise<void> {
  try {
    await stores.setUpBroker(layout);
  } catch (error) {
    if (error instanceof CannotSetUp) throw new CannotDo(error.message, { cause: error });
    throw error;
  }
}

/** An error of the operating system: no such folder, no right, no space. */
export function isSystemError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}

/**
 * Does the work on the open stores of this process and closes them, whatever comes. Where the work fails, its error is
 * the one that is thrown: what then does not stop cleanly mostly follows from it, and is logged.
 */
export async function onFolder<T>(
  settings: Settings,
  log: Logger,
  work: (stores: OpenStores) => Promise<T>,
  beginning?: Beginning,
): Promise<T> {
  const stores = await openFolder(settings, log, beginning);
  const { lifecycle } = stores;
  let done: T;
  try {
    await refuseHalfMigrated(stores);
    done = await work(stores);
  } catch (error) {
    await lifecycle.stop().catch((err: unknown) => log.warn({ err }, 'Not everything stopped cleanly'));
    throw error;
  }
  await lifecycle.stop();
  return done;
}

/** @throws {CannotDo} */
async function refuseHalfMigrated({ commandPorts }: OpenStores): Promise<void> {
  try {
    await refuseWhileMigrating(commandPorts.records);
  } catch (error) {
    if (error instanceof MigrationUnderWay) throw new CannotDo(`${error.message}.`, { cause: error });
    throw error;
  }
}

/** How often the projector is asked whether it stands still. */
const LOOK_EVERY_MS = 1_000;

/** Waits until the read models reflect the log up to a position; resolves with the reason when they stand still before. */
export async function failureToReach(projector: Projector, position: Position): Promise<string | undefined> {
  while (!(await projector.waitFor(position, LOOK_EVERY_MS))) {
    const { failure } = projector.status();
    if (failure !== undefined) return failure;
  }
  return undefined;
}
