import { rolesAreApart, type Settings, usesJobs } from '../config.ts';
import type { Installation } from '../records/installation.ts';
import type { From } from '../processes/checkpoint.ts';
import { CannotDo } from '../runtime/cannot-do.ts';
import { findSecret, secretHash } from '../security/start-secrets.ts';

/** What the stores are opened for. */
export interface StartupOptions {
  /**
   * `serve` and `setup` create what an installation lacks, `serve` only with all roles in one process. `read` adds nothing to the
   * book, so a folder whose book was moved to servers is opened too. Default: `use`.
   */
  readonly purpose?: 'serve' | 'setup' | 'use' | 'read';
  /** Where processes start that have no checkpoint. */
  readonly from?: From | undefined;
  /** What a set-up changes on purpose, so that it is not compared. */
  readonly changes?: readonly ('stores' | 'secret')[];
}

/** The settings contradict what the installation was set up with. The message has a sentence for each difference. */
export class InstallationMismatch extends CannotDo {
  override readonly name = 'InstallationMismatch';
}

type Store = 'log' | 'messaging';

/** Whether a start creates what an installation lacks: of several processes with roles apart none knows whether it is the first. */
export function createsInstallation({ purpose }: StartupOptions, settings: Settings): boolean {
  return purpose === 'setup' || (purpose === 'serve' && !rolesAreApart(settings));
}

/** Returns the location of each store that this start uses, as the settings name it. */
export function usedStores({ purpose }: StartupOptions, settings: Settings): Pick<Installation, Store> {
  const log = settings.eventStoreUrl === undefined ? 'embedded' : 'server';
  // Topics are created whatever roles the environment names; reading a book needs no jobs.
  const usesMessaging = purpose === 'setup' || (purpose !== 'read' && usesJobs(settings));
  if (!usesMessaging) return { log };
  return { log, messaging: settings.kafkaBrokers === undefined ? 'embedded' : 'server' };
}

/**
 * Compares the settings with the installation. Done before a process creates or leads anything: with a forgotten address it would
 * write to a second, empty log, or send nothing to Kafka.
 * @throws {InstallationMismatch}
 */
export function requireMatch(installation: Installation, settings: Settings, startup: StartupOptions): void {
  const stores = startup.changes?.includes('stores') === true ? {} : usedStores(startup, settings);
  const sentences = [
    ...storeMismatch('log', installation.log, stores.log, settings),
    ...storeMismatch('messaging', installation.messaging, stores.messaging, settings),
    ...(comparesSecret(startup, settings) ? secretMismatch(installation, settings) : []),
  ];
  if (sentences.length > 0) throw new InstallationMismatch(sentences.join('\n'));
}

/** In a folder one process serves alone, and its secret is beside its data. */
function comparesSecret({ purpose, changes }: StartupOptions, { mongoUrl, secret }: Settings): boolean {
  if (mongoUrl === undefined || changes?.includes('secret') === true) return false;
  return purpose === 'serve' || (purpose === 'setup' && secret !== undefined);
}

const STORES = {
  log: {
    setting: 'EVENTSTORE_URL',
    server: 'its event log in EventStoreDB',
    embedded: 'its event log in the data folder',
  },
  messaging: { setting: 'KAFKA_BROKERS', server: 'Kafka', embedded: 'no Kafka' },
} as const;

function storeMismatch(
  store: Store,
  known: Installation[Store],
  here: Installation[Store],
  { mongoUrl, dataFolder }: Settings,
): readonly string[] {
  if (known === undefined || here === undefined || known === here) return [];
  const { setting, [known]: what } = STORES[store];
  const records = mongoUrl === undefined ? `the data folder ${dataFolder}` : 'MongoDB';
  const isForgotten = known === 'server';
  const remedy = isForgotten ? `set ${setting}` : `take ${setting} out`;
  const orRecords = mongoUrl === undefined && !isForgotten ? ', or set MONGODB_URL if the records are there' : '';
  return [
    `${setting} is ${isForgotten ? 'not set' : 'set'}, but the installation whose records are in ${records} was set up with ${what}: ` +
      `${remedy}${orRecords}; only if that was changed on purpose, run surety setup --change-stores (docs/runbook.md, Change the stores).`,
  ];
}

function secretMismatch({ secret: known }: Installation, { secret, dataFolder }: Settings): readonly string[] {
  const own = secret ?? findSecret(dataFolder);
  if (known === undefined || (own !== undefined && secretHash(own) === known)) return [];
  return [
    'The secret of this process is not the one that signs the links in mails of this installation: set SURETY_SECRET to that one in ' +
      'every process (after surety migrate it is the text in the file secret of the folder); or end those links on purpose, by ' +
      'surety setup --change-secret with the new one in SURETY_SECRET.',
  ];
}
