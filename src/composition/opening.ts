import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Container } from 'inversify';
import { hasNoServer, serversInForce, type Settings, worksInFolder } from '../config.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { refuseMigrated } from '../migration/folder-mark.ts';
import { FROM_NEEDED, requireInitialised } from '../processes/initial-checkpoints.ts';
import { readInstallation } from '../records/installation.ts';
import type { Records } from '../records/records.ts';
import { CannotDo } from '../runtime/cannot-do.ts';
import { FILES, requireLog } from '../runtime/data-folder.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';
import { createsInstallation, type StartupOptions, requireMatch } from './installation-check.ts';
import { processCheckpoints } from './process-runner.ts';
import { TOKENS } from './tokens.ts';

/** Opens the records and takes the folder if a store is in it; creates nothing there before the settings were compared. */
export async function openRecords(
  container: Container,
  lifecycle: Lifecycle,
  settings: Settings,
  opening: StartupOptions,
): Promise<Records> {
  const openAndCompare = async (): Promise<Records> => {
    const records = await container.getAsync(TOKENS.records);
    lifecycle.started('records', async () => await records.close());
    requireMatch(await readInstallation(records), settings, opening);
    return records;
  };
  const onServer = settings.mongoUrl === undefined ? undefined : await openAndCompare();
  if (worksInFolder(settings)) {
    const lock = await container.getAsync(TOKENS.folderLock);
    lifecycle.started('folder lock', () => lock.release());
    // Once the folder is held, no migration of it can end.
    if (opening.purpose !== 'read') refuseMigrated(settings.dataFolder);
  }
  if (onServer !== undefined) return onServer;
  // Opening them creates them.
  const isNew = !hasRecords(settings);
  const requireOwnLog = (): void =>
    settings.eventStoreUrl === undefined ? requireLog(settings.dataFolder) : undefined;
  if (isNew) requireOwnLog();
  const records = await openAndCompare();
  requireOwnLog();
  return records;
}

function hasRecords({ dataFolder }: Settings): boolean {
  return existsSync(join(dataFolder, FILES.records));
}

/**
 * Initialises the checkpoints of a data folder, at the end of its log if it is of a version that had no processes. On servers
 * refuses to go on where that was not done, unless this start does it later.
 * @throws {CannotDo}
 */
export async function prepareCheckpoints(
  settings: Settings,
  records: Records,
  eventStore: EventStore,
  opening: StartupOptions,
): Promise<void> {
  const checkpoints = processCheckpoints(records, settings);
  if (hasNoServer(settings)) for (const checkpoint of checkpoints) await checkpoint.begin(eventStore);
  else if (!createsInstallation(opening, settings)) await requireInitialised(checkpoints, notSetUp(settings));
}

/** Refuses records in a folder that has none, before anything is opened, and so created. @throws {CannotDo} */
export function requireRecords(settings: Settings, opening: StartupOptions): void {
  const { eventStoreUrl, mongoUrl } = settings;
  if (createsInstallation(opening, settings) || eventStoreUrl === undefined || mongoUrl !== undefined) return;
  if (!hasRecords(settings)) throw new CannotDo(notSetUp(settings));
}

/** Refuses to create records in a folder for a log on a server that has events: mostly they are in MongoDB. @throws {CannotDo} */
export async function requireKnownLog(
  settings: Settings,
  eventStore: EventStore,
  opening: StartupOptions,
): Promise<void> {
  if (!createsInstallation(opening, settings) || opening.from !== undefined) return;
  if (settings.mongoUrl !== undefined || hasRecords(settings)) return;
  if ((await eventStore.lastPosition()) !== undefined) throw new CannotDo(fromNeeded(settings));
}

/** With `--from` where the records are elsewhere there would be two services on one log, so that is named first. */
export function fromNeeded(settings: Settings): string {
  const { eventStoreUrl, mongoUrl, dataFolder } = settings;
  if (eventStoreUrl === undefined || mongoUrl !== undefined) return `${orRecordsHere(settings)}${FROM_NEEDED}`;
  return (
    `${serversInForce(settings)}, so the records of this log are looked for in the data folder ${dataFolder}, which has none: ` +
    `set MONGODB_URL if they are in MongoDB. Only if there never were any: ${FROM_NEEDED}`
  );
}

/** The first part of a sentence where MONGODB_URL is set and the folder has records as well. */
function orRecordsHere(settings: Settings): string {
  const { eventStoreUrl, mongoUrl, dataFolder } = settings;
  if (mongoUrl === undefined || eventStoreUrl !== undefined || !hasRecords(settings)) return '';
  return `The data folder ${dataFolder} has records: if they are those of this installation, take MONGODB_URL out. Only if not: `;
}

function notSetUp(settings: Settings): string {
  const here = orRecordsHere(settings);
  if (here !== '') return `${here}run surety setup first.`;
  if (settings.mongoUrl !== undefined)
    return 'Nothing is set up for Surety on these servers yet: run surety setup first.';
  const where = `in the data folder ${settings.dataFolder}, where records are looked for`;
  const inForce = serversInForce(settings) ?? 'no server is set';
  return `Nothing is set up for Surety ${where}: ${inForce}. Set what is missing, or run surety setup first.`;
}
