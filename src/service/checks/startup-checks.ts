import { join } from 'node:path';
import { hasNoServer, describeServers, type Settings } from '../config/config.ts';
import type { EventStore } from '#stores/event-log/event-log.ts';
import { LogMismatch } from '#stores/event-log/log-identity.ts';
import { requireWholeLog } from '#stores/event-log/sqlite/require-whole-log.ts';
import { FROM_REQUIRED, initialValues, requireInitialised } from '#processes/runtime/initial-checkpoints.ts';
import { LogMark, MARK_DEFINITION } from '#read-side/log-mark.ts';
import { openSqliteReadModels } from '#stores/read-models/sqlite/sqlite-read-models.ts';
import { createInstallation, hasInstallation } from '#stores/records/installation.ts';
import type { Records } from '#stores/records/records.ts';
import { OperatorError } from '#stores/shared/operator-error.ts';
import { databaseMissing, FILES, hasFile } from '../config/data-folder.ts';
import { createsInstallation, type StartupOptions } from './installation-check.ts';
import { processCheckpoints } from '../compose/process-runner.ts';

function hasRecords({ dataFolder }: Settings): boolean {
  return hasFile(dataFolder, FILES.records);
}

const NEW_INSTALLATION = 'or empty it to start a new installation';

/** Refuses a folder with a log or read models whose records were lost, before opening the store would create new ones. @throws {OperatorError} */
export function requireRecordsOfLog(settings: Settings): void {
  const { eventStoreUrl, dataFolder } = settings;
  if (eventStoreUrl !== undefined || hasRecords(settings)) return;
  const found = [FILES.eventLog, FILES.readModels].find((name) => hasFile(dataFolder, name));
  const alternatives = `set MONGODB_URL if the records are in MongoDB, ${NEW_INSTALLATION}`;
  if (found !== undefined) throw databaseMissing(dataFolder, FILES.records, found, alternatives);
}

/**
 * Refuses an installation or read models whose log in the folder was lost, because a new log would be taken for the complete history.
 * A folder without both never had an event.
 * @throws {OperatorError}
 */
export async function requireLogOfRecords(
  { eventStoreUrl, mongoUrl, dataFolder }: Settings,
  records: Records,
  { changes = [] }: StartupOptions,
): Promise<void> {
  if (eventStoreUrl !== undefined || changes.includes('stores') || hasFile(dataFolder, FILES.eventLog)) return;
  const isInstalled = await hasInstallation(records);
  if (isInstalled && mongoUrl !== undefined)
    throw databaseMissing(dataFolder, FILES.eventLog, 'an installation in MongoDB', 'or use an empty database');
  const found = isInstalled ? FILES.records : FILES.readModels;
  if (hasFile(dataFolder, found)) throw databaseMissing(dataFolder, FILES.eventLog, found, NEW_INSTALLATION);
}

/**
 * Refuses a log in the folder that lacks an event, or whose newest events were altered or are missing according to the read models in the
 * folder: commands would reuse the positions and revisions of what is missing. A verification reads such a log.
 * @throws {StoreDamaged} @throws {OperatorError} when the read models reflect an event that the log does not have
 */
export async function requireSoundLog(
  { eventStoreUrl, mongoUrl, dataFolder }: Settings,
  eventStore: EventStore,
  { purpose }: StartupOptions,
): Promise<void> {
  if (eventStoreUrl !== undefined || purpose === 'read') return;
  requireWholeLog(join(dataFolder, FILES.eventLog));
  if (mongoUrl !== undefined || !hasFile(dataFolder, FILES.readModels)) return;
  const readModels = openSqliteReadModels({ file: join(dataFolder, FILES.readModels) });
  try {
    await readModels.open([MARK_DEFINITION]);
    await new LogMark(readModels, eventStore).check();
  } catch (error) {
    if (error instanceof LogMismatch) throw new OperatorError(`${error.message}.`, { cause: error });
    throw error;
  } finally {
    await readModels.close();
  }
}

/**
 * Creates the installation document and the checkpoints of a data folder before its first event. On servers requires that the checkpoints
 * are initialised, unless this start does it later.
 * @throws {OperatorError}
 */
export async function prepareCheckpoints(
  settings: Settings,
  records: Records,
  eventStore: EventStore,
  startup: StartupOptions,
): Promise<void> {
  const checkpoints = processCheckpoints(records, settings);
  if (hasNoServer(settings)) {
    await createInstallation(records, eventStore);
    const initial = await initialValues(checkpoints, eventStore, undefined);
    for (const [name, value] of Object.entries(initial)) await records.replaceValue(name, undefined, value);
  } else if (!createsInstallation(startup, settings)) await requireInitialised(checkpoints, notSetUpMessage(settings));
}

/** Requires records in the folder, if they are configured there, before opening the store would create them. @throws {OperatorError} */
export function requireRecords(settings: Settings, startup: StartupOptions): void {
  const { eventStoreUrl, mongoUrl } = settings;
  if (createsInstallation(startup, settings) || eventStoreUrl === undefined || mongoUrl !== undefined) return;
  if (!hasRecords(settings)) throw new OperatorError(notSetUpMessage(settings));
}

/** Requires `--from` to create records in a folder for a server's log with events, whose records are usually in MongoDB. @throws {OperatorError} */
export async function requireKnownLog(
  settings: Settings,
  eventStore: EventStore,
  startup: StartupOptions,
): Promise<void> {
  if (!createsInstallation(startup, settings) || startup.from !== undefined) return;
  if (settings.mongoUrl !== undefined || hasRecords(settings)) return;
  if ((await eventStore.lastPosition()) !== undefined) throw new OperatorError(fromRequiredMessage(settings));
}

export function fromRequiredMessage(settings: Settings): string {
  const { eventStoreUrl, mongoUrl, dataFolder } = settings;
  if (eventStoreUrl === undefined || mongoUrl !== undefined) return `${folderRecordsHint(settings)}${FROM_REQUIRED}`;
  return (
    `${describeServers(settings)}, so the records of this log should be in the data folder ${dataFolder}, which has none: ` +
    `set MONGODB_URL if they are in MongoDB. Only if there were never any: ${FROM_REQUIRED}`
  );
}

/** Returns a hint when MONGODB_URL is set and the folder has records too; else an empty text. */
function folderRecordsHint(settings: Settings): string {
  const { eventStoreUrl, mongoUrl, dataFolder } = settings;
  if (mongoUrl === undefined || eventStoreUrl !== undefined || !hasRecords(settings)) return '';
  return `The data folder ${dataFolder} has records: if they are those of this installation, unset MONGODB_URL. Otherwise: `;
}

function notSetUpMessage(settings: Settings): string {
  const hint = folderRecordsHint(settings);
  if (hint !== '') return `${hint}run surety setup first.`;
  if (settings.mongoUrl !== undefined) return 'Surety is not set up on these servers: run surety setup first.';
  const location = `in the data folder ${settings.dataFolder}, where its records should be`;
  const servers = describeServers(settings) ?? 'no server is set';
  return `Surety is not set up ${location}: ${servers}. Set the missing addresses, or run surety setup first.`;
}
