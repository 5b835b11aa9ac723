import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hasNoServer, serversInForce, type Settings } from '../config.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { FROM_NEEDED, requireInitialised } from '../processes/initial-checkpoints.ts';
import type { Records } from '../records/records.ts';
import { CannotDo } from '../runtime/cannot-do.ts';
import { FILES, requireLog } from '../runtime/data-folder.ts';
import { createsInstallation, type StartupOptions } from './installation-check.ts';
import { processCheckpoints } from './process-runner.ts';

/** Whether the data folder has records. */
export function hasRecords({ dataFolder }: Settings): boolean {
  return existsSync(join(dataFolder, FILES.records));
}

/** Refuses a data folder whose event log was taken out, if the log is to be there. @throws {CannotDo} */
export function requireOwnLog({ eventStoreUrl, dataFolder }: Settings): void {
  if (eventStoreUrl === undefined) requireLog(dataFolder);
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
  startup: StartupOptions,
): Promise<void> {
  const checkpoints = processCheckpoints(records, settings);
  if (hasNoServer(settings)) for (const checkpoint of checkpoints) await checkpoint.begin(eventStore);
  else if (!createsInstallation(startup, settings)) await requireInitialised(checkpoints, notSetUp(settings));
}

/** Refuses records in a folder that has none, before anything is opened, and so created. @throws {CannotDo} */
export function requireRecords(settings: Settings, startup: StartupOptions): void {
  const { eventStoreUrl, mongoUrl } = settings;
  if (createsInstallation(startup, settings) || eventStoreUrl === undefined || mongoUrl !== undefined) return;
  if (!hasRecords(settings)) throw new CannotDo(notSetUp(settings));
}

/** Refuses to create records in a folder for a log on a server that has events: mostly they are in MongoDB. @throws {CannotDo} */
export async function requireKnownLog(
  settings: Settings,
  eventStore: EventStore,
  startup: StartupOptions,
): Promise<void> {
  if (!createsInstallation(startup, settings) || startup.from !== undefined) return;
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
