import { hasSeparateRoles, type Settings, usesJobs } from '../config/config.ts';
import type { Installation } from '#stores/records/installation.ts';
import type { StartPosition } from '#processes/runtime/checkpoint.ts';
import { OperatorError } from '#stores/shared/operator-error.ts';
import { findSecret, secretHash } from '../security/start-secrets.ts';

export interface StartupOptions {
  /**
   * `serve` and `setup` create what an installation lacks, `serve` only with all roles in one process. `read` appends no events, so it
   * also opens a folder that was migrated to servers. Default: `use`.
   */
  readonly purpose?: 'serve' | 'setup' | 'use' | 'read';
  readonly from?: StartPosition | undefined;
  /** Settings that a set-up changes on purpose, so that they are not compared. */
  readonly changes?: readonly ('stores' | 'secret')[];
}

/** The settings differ from those of the installation. The message has one line per difference. */
export class InstallationMismatch extends OperatorError {
  override readonly name = 'InstallationMismatch';
}

type Store = 'log' | 'messaging';

/** Returns whether a start creates what an installation lacks. Processes with separate roles do not, because none knows whether it is the first. */
export function createsInstallation({ purpose }: StartupOptions, settings: Settings): boolean {
  return purpose === 'setup' || (purpose === 'serve' && !hasSeparateRoles(settings));
}

export function storeKinds({ purpose }: StartupOptions, settings: Settings): Pick<Installation, Store> {
  const log = settings.eventStoreUrl === undefined ? 'embedded' : 'server';
  // A set-up creates topics for all roles; reading needs no jobs.
  const usesMessaging = purpose === 'setup' || (purpose !== 'read' && usesJobs(settings));
  if (!usesMessaging) return { log };
  return { log, messaging: settings.kafkaBrokers === undefined ? 'embedded' : 'server' };
}

/**
 * Compares the settings with the installation, before a process creates or writes anything: with a missing address it would write to a
 * second, empty log, or send nothing to Kafka.
 * @throws {InstallationMismatch}
 */
export function requireMatch(installation: Installation, settings: Settings, startup: StartupOptions): void {
  const stores = startup.changes?.includes('stores') === true ? {} : storeKinds(startup, settings);
  const differences = [
    ...storeMismatch('log', installation.log, stores.log, settings),
    ...storeMismatch('messaging', installation.messaging, stores.messaging, settings),
    ...(comparesSecret(startup, settings) ? secretMismatch(installation, settings) : []),
  ];
  if (differences.length > 0) throw new InstallationMismatch(differences.join('\n'));
}

/** Records in a folder have one process, whose secret is in the same folder. */
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
  stored: Installation[Store],
  configured: Installation[Store],
  { mongoUrl, dataFolder }: Settings,
): readonly string[] {
  if (stored === undefined || configured === undefined || stored === configured) return [];
  const { setting, [stored]: description } = STORES[store];
  const records = mongoUrl === undefined ? `the data folder ${dataFolder}` : 'MongoDB';
  const isMissing = stored === 'server';
  const remedy = isMissing ? `set ${setting}` : `unset ${setting}`;
  const orRecords = mongoUrl === undefined && !isMissing ? ', or set MONGODB_URL if the records are there' : '';
  return [
    `${setting} is ${isMissing ? 'not set' : 'set'}, but the installation whose records are in ${records} was set up with ${description}: ` +
      `${remedy}${orRecords}; only if that was changed on purpose, run surety setup --change-stores (docs/runbook.md, Change the stores).`,
  ];
}

function secretMismatch({ secret: storedHash }: Installation, { secret, dataFolder }: Settings): readonly string[] {
  const own = secret ?? findSecret(dataFolder);
  if (storedHash === undefined || (own !== undefined && secretHash(own) === storedHash)) return [];
  return [
    'The secret of this process is not the one that signs the links in mails of this installation: set SURETY_SECRET to the secret of ' +
      'the installation in every process (after surety migrate it is in the file secret of the folder); or invalidate those links on ' +
      'purpose with surety setup --change-secret and the new secret in SURETY_SECRET.',
  ];
}
