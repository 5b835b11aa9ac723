import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Container } from 'inversify';
import { hasNoServer, serversInForce, type Settings, usesJobs, worksInFolder } from '../config.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { refuseMigrated } from '../migration/folder-mark.ts';
import { beginAll, demandBegun, FROM_NEEDED, NotBegun } from '../processes/beginnings.ts';
import type { From } from '../processes/checkpoint.ts';
import type { Records } from '../records/records.ts';
import { checkDataFolder, FILES } from '../runtime/data-folder.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';
import { demandSameStores, type StoreBeside } from './agreed-stores.ts';
import { processCheckpoints } from './processes.ts';
import { TOKENS } from './tokens.ts';

/** Whether a start makes what must be there before the first event, or only looks whether it is. */
export type Beginning = { readonly kind: 'make'; readonly from?: From | undefined } | { readonly kind: 'demand' };

/** What the stores are opened for. */
export interface Opening {
  /** Default: to look. */
  readonly beginning?: Beginning;
  /** Whether a folder is opened also when its book was moved to servers: for who adds nothing to it. Default: no. */
  readonly alsoMigrated?: boolean;
  /** Which stores must be those that the records know. Default: the log, and jobs where the roles use them. */
  readonly sameStores?: readonly StoreBeside[];
  /** Asked of the records before anything else is made or opened; what it throws ends the opening. */
  readonly examine?: (records: Records) => Promise<void>;
}

async function takeFolder(
  container: Container,
  lifecycle: Lifecycle,
  { alsoMigrated = false }: Pick<Opening, 'alsoMigrated'>,
): Promise<void> {
  const lock = await container.getAsync(TOKENS.folderLock);
  lifecycle.started('folder lock', () => lock.release());
  // Now that it is held no migration can end any more.
  if (!alsoMigrated) refuseMigrated(container.get(TOKENS.settings).dataFolder);
}

/** Opens the records, takes the folder where one is worked in, and makes nothing there before the records agree with it. */
export async function openRecords(container: Container, lifecycle: Lifecycle, opening: Opening): Promise<Records> {
  const settings = container.get(TOKENS.settings);
  const onServer = settings.mongoUrl === undefined ? undefined : await openRecordsAlone(container, lifecycle, opening);
  if (worksInFolder(settings)) await takeFolder(container, lifecycle, opening);
  if (onServer !== undefined) return onServer;
  const known = hasRecords(settings) ? await openRecordsAlone(container, lifecycle, opening) : undefined;
  checkLog(settings);
  return known ?? (await openRecordsAlone(container, lifecycle, opening));
}

/** Takes the folder for the jobs in it alone. Where records lie beside them, they say whether these are the jobs. */
export async function takeFolderOfJobs(
  container: Container,
  lifecycle: Lifecycle,
  opening: Pick<Opening, 'alsoMigrated'>,
): Promise<void> {
  await takeFolder(container, lifecycle, opening);
  const settings = container.get(TOKENS.settings);
  if (settings.mongoUrl === undefined && hasRecords(settings))
    await openRecordsAlone(container, lifecycle, { sameStores: ['jobs'] });
}

async function openRecordsAlone(
  container: Container,
  lifecycle: Lifecycle,
  { sameStores, examine }: Pick<Opening, 'sameStores' | 'examine'>,
): Promise<Records> {
  const settings = container.get(TOKENS.settings);
  const records = await container.getAsync(TOKENS.records);
  lifecycle.started('records', async () => await records.close());
  await demandSameStores(records, settings, sameStores ?? (usesJobs(settings) ? ['log', 'jobs'] : ['log']));
  await examine?.(records);
  return records;
}

/** Whether records lie in the folder, so that opening them makes no new ones. */
function hasRecords({ dataFolder }: Settings): boolean {
  return existsSync(join(dataFolder, FILES.records));
}

/** @throws {LogMissing} */
function checkLog({ eventStoreUrl, mongoUrl, dataFolder }: Settings): void {
  if (eventStoreUrl === undefined && mongoUrl === undefined) checkDataFolder(dataFolder);
}

/** A data folder begins by itself, at the end of the log if it is of a version that had no processes. */
export async function begin(
  settings: Settings,
  records: Records,
  eventStore: EventStore,
  beginning: Beginning,
): Promise<void> {
  const checkpoints = processCheckpoints(records, settings);
  if (hasNoServer(settings)) {
    for (const checkpoint of checkpoints) await checkpoint.begin(eventStore);
  } else if (beginning.kind === 'make') await beginAll(checkpoints, eventStore, beginning.from, fromNeeded(settings));
  else await demandBegun(checkpoints, nothingSetUp(settings));
}

/** Where the records would lie in a folder that has none, it is known before anything is opened, and so made. @throws {NotBegun} */
export function demandRecords(settings: Settings, { kind }: Beginning): void {
  const { eventStoreUrl, mongoUrl } = settings;
  if (kind === 'make' || eventStoreUrl === undefined || mongoUrl !== undefined) return;
  if (!hasRecords(settings)) throw new NotBegun(nothingSetUp(settings));
}

/** Where new records would be made for a log on a server that has events, they mostly lie elsewhere. @throws {NotBegun} */
export async function refuseUnknownLog(
  settings: Settings,
  eventStore: EventStore,
  beginning: Beginning,
): Promise<void> {
  const { eventStoreUrl, mongoUrl } = settings;
  if (beginning.kind === 'demand' || beginning.from !== undefined) return;
  if (eventStoreUrl === undefined || mongoUrl !== undefined || hasRecords(settings)) return;
  if ((await eventStore.lastPosition()) !== undefined) throw new NotBegun(fromNeeded(settings));
}

/** Who follows an advice about the beginning while the records lie elsewhere gets a second service on one log. */
function fromNeeded(settings: Settings): string {
  const { eventStoreUrl, mongoUrl, dataFolder } = settings;
  if (eventStoreUrl === undefined || mongoUrl !== undefined) return `${orRecordsHere(settings)}${FROM_NEEDED}`;
  return (
    `${serversInForce(settings)}, so the records of this log are looked for in the data folder ${dataFolder}, which has none: ` +
    `set MONGODB_URL if they lie in MongoDB. Only if there never were any: ${FROM_NEEDED}`
  );
}

/** As the rest of a sentence, where an address of MongoDB stands beside records in the folder; else nothing. */
function orRecordsHere(settings: Settings): string {
  const { eventStoreUrl, mongoUrl, dataFolder } = settings;
  if (mongoUrl === undefined || eventStoreUrl !== undefined || !hasRecords(settings)) return '';
  return `The data folder ${dataFolder} has records: if they are those of this installation, take MONGODB_URL out. Only if not: `;
}

function nothingSetUp(settings: Settings): string {
  const here = orRecordsHere(settings);
  if (here !== '') return `${here}run surety setup first.`;
  if (settings.mongoUrl !== undefined)
    return 'Nothing is set up for Surety on these servers yet: run surety setup first.';
  const where = `in the data folder ${settings.dataFolder}, where records are looked for`;
  const inForce = serversInForce(settings) ?? 'no server is set';
  return `Nothing is set up for Surety ${where}: ${inForce}. Set what is missing, or run surety setup first.`;
}
