import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { serversInForce, type Settings } from '../config.ts';
import { changePlaces, keepPlaces, readPlaces, type StorePlaces } from '../records/stores-mark.ts';
import type { Records } from '../records/records.ts';
import { wasMigratedTo } from '../migration/mark.ts';
import { mailJobsCheckpoint } from '../processes/mail-jobs/mail-job-relay.ts';
import { publicEventsCheckpoint } from '../processes/public-events/relay.ts';
import { FILES } from '../runtime/data-folder.ts';

/** Where each store is; an address that is undefined is the data folder. */
export type StoreSettings = Pick<Settings, 'eventStoreUrl' | 'mongoUrl' | 'kafkaBrokers' | 'dataFolder'>;

/** What lies beside the records, on a server or in the data folder. */
export type StoreBeside = keyof StorePlaces;

const BESIDE = ['log', 'jobs'] as const satisfies readonly StoreBeside[];
const SETTING_OF = { log: 'EVENTSTORE_URL', jobs: 'KAFKA_BROKERS' } as const;

/** The settings name other stores than those of the installation whose records these are. The message is a sentence. */
export class OtherStores extends Error {
  override readonly name = 'OtherStores';
}

/**
 * Asked before anything else is opened: of a forgotten address a second, empty log would come, or jobs that nobody sees.
 * @param stores those that are worked with
 * @throws {OtherStores} @throws {StoreUnavailable}
 */
export async function demandSameStores(
  records: Records,
  settings: StoreSettings,
  stores: readonly StoreBeside[] = BESIDE,
): Promise<void> {
  const known: Partial<StorePlaces> = (await readPlaces(records)) ?? (await placesBefore(records, settings));
  refuseOthers(known, settings, stores);
}

/** Says where the stores lie if nobody has yet. @throws {OtherStores} when another process says otherwise at the same moment */
export async function keepToStores(records: Records, settings: StoreSettings): Promise<void> {
  if ((await readPlaces(records)) !== undefined) return;
  refuseOthers(await keepPlaces(records, placesOf(settings)), settings, BESIDE);
}

/** Lets the installation have the stores of the settings from now on. */
export async function changeStores(records: Records, settings: StoreSettings): Promise<void> {
  await changePlaces(records, placesOf(settings));
}

function placesOf({ eventStoreUrl, kafkaBrokers }: StoreSettings): StorePlaces {
  return {
    log: eventStoreUrl === undefined ? 'embedded' : 'server',
    jobs: kafkaBrokers === undefined ? 'embedded' : 'server',
  };
}

/** What can be told of an installation of a version that kept no mark, by what it has begun and where nothing lies. */
async function placesBefore(records: Records, { dataFolder, mongoUrl }: StoreSettings): Promise<Partial<StorePlaces>> {
  if (await wasMigratedTo(records)) return { log: 'server', jobs: 'server' };
  const isHere = (file: string): boolean => existsSync(join(dataFolder, file));
  // Where records lie in a folder, its log is asked for by `checkDataFolder`.
  const logIsElsewhere = mongoUrl !== undefined && !isHere(FILES.eventLog);
  return {
    ...(logIsElsewhere && (await mailJobsCheckpoint(records).hasBegun()) ? { log: 'server' } : {}),
    // They begin where a broker is named; with jobs in the folder that may have been a trial.
    ...(!isHere(FILES.jobs) && (await publicEventsCheckpoint(records).hasBegun()) ? { jobs: 'server' } : {}),
  };
}

/** @throws {OtherStores} */
function refuseOthers(known: Partial<StorePlaces>, settings: StoreSettings, stores: readonly StoreBeside[]): void {
  const here = placesOf(settings);
  const others = stores.filter((store) => known[store] !== undefined && known[store] !== here[store]);
  if (others.length > 0) throw new OtherStores(sentence(others, here, settings));
}

function sentence(others: readonly StoreBeside[], here: StorePlaces, settings: StoreSettings): string {
  const namesOf = (place: string): string =>
    others
      .filter((store) => here[store] === place)
      .map((store) => SETTING_OF[store])
      .join(' and ');
  const [lacking, further] = [namesOf('embedded'), namesOf('server')];
  const was = [lacking === '' ? [] : `with ${lacking}`, further === '' ? [] : `without ${further}`]
    .flat()
    .join(' and ');
  const { mongoUrl, dataFolder } = settings;
  const where = mongoUrl === undefined ? `in the data folder ${dataFolder}` : 'in MongoDB';
  const first = mongoUrl === undefined && further !== '' ? 'set MONGODB_URL if the records are there; else ' : '';
  return (
    `${inForce(settings)}, but the installation whose records lie ${where} was set up ${was}: ${first}put that right, or, ` +
    'only if its log or its jobs were moved on purpose, say so by surety setup --change-stores (docs/runbook.md, Change where log and jobs lie, tells what must be true then).'
  );
}

function inForce(settings: StoreSettings): string {
  const names = 'EVENTSTORE_URL, MONGODB_URL and KAFKA_BROKERS';
  return serversInForce(settings) ?? (settings.mongoUrl === undefined ? `None of ${names} is set` : `${names} are set`);
}
