import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { addressesOf, type Servers, type Settings } from '#service/config/config.ts';
import { LEASED_ROLES } from '#service/compose/process-runner.ts';
import { storeLocations } from '#service/config/store-locations.ts';
import { verifyEventLog } from '#service/compose/verify.ts';
import { markMigrated } from './migration/folder-mark.ts';
import { migrate, type MigrationReport } from './migration/migrate.ts';
import { findLeaders } from '#processes/lease/leadership.ts';
import { readInstallation } from '#stores/records/installation.ts';
import { DAMAGED_LOG_REMEDY, FILES } from '#service/config/data-folder.ts';
import type { Logger } from '#service/observability/logging.ts';
import { type Application, isSystemError } from '#service/compose/application.ts';
import { findSecret, secretHash } from '#service/security/start-secrets.ts';
import { parseOptions } from './arguments.ts';
import { describeReport } from './verification-text.ts';
import { verifyStores, withProgressBar } from './verify.ts';
import { openApplication } from './with-application.ts';
import { escapeControls, EXIT, JSON_OPTION, OperatorError, printJson } from './outcome.ts';

/** A process that found no migration when it started has its leases after this time, unless it is paused. */
const WATCH_LEASES_MS = 3_000;

export const MIGRATE_OPTIONS = { json: JSON_OPTION } as const;

/** `surety migrate`: copies the data folder to the servers of the settings and proves that everything arrived. */
export async function runMigrate(words: readonly string[], settings: Settings, log: Logger): Promise<number> {
  const { json } = parseOptions('surety migrate', words, MIGRATE_OPTIONS);
  const { dataFolder, servers } = settings;
  if (servers === undefined)
    throw new OperatorError('surety migrate needs EVENTSTORE_URL, MONGODB_URL and KAFKA_BROKERS.');
  if (!existsSync(join(dataFolder, FILES.eventLog)))
    throw new OperatorError(`There is no event log in the data folder ${dataFolder}.`);
  const folder = await openApplication({ ...settings, servers: undefined }, log, { purpose: 'read' });
  try {
    const secret = await secretOf(folder, settings);
    // The servers have no checksum of the events.
    const { faults } = await verifyEventLog(storeLocations({ dataFolder, servers: undefined }));
    if (faults > 0)
      throw new OperatorError(`${dataFolder} has faults, which surety verify names. ${DAMAGED_LOG_REMEDY}`);
    const target = await openApplication({ ...settings, roles: ['projector'] }, log, { purpose: 'read' });
    try {
      const { records, now } = target.commandPorts;
      const { leases } = records;
      const watching = { pause: async (ms: number) => await pause(ms), atLeastMs: WATCH_LEASES_MS };
      const report = await withProgressBar(
        async (onProgress) =>
          await migrate({
            source: { eventStore: folder.eventStore, records: folder.commandPorts.records },
            target: { eventStore: target.eventStore, records },
            secret,
            findLeaders: async () => (leases === undefined ? [] : await findLeaders(leases, LEASED_ROLES, watching)),
            verify: async () => await verifyStores(target, settings, onProgress),
            markMoved: () => markMoved(dataFolder, now(), servers),
            onProgress,
          }),
      );
      if (json) printJson(JSON.stringify(report));
      else process.stdout.write(`${escapeControls(asText(report))}\n`);
      return report.is_moved ? EXIT.done : EXIT.failed;
    } finally {
      await target.stop();
    }
  } finally {
    await folder.stop();
  }
}

/**
 * Returns the hash of the secret of the folder's service.
 * @throws {OperatorError} when the settings have another secret
 */
async function secretOf({ commandPorts }: Application, { secret, dataFolder }: Settings): Promise<string | undefined> {
  const own = findSecret(dataFolder) ?? secret;
  const hash = (await readInstallation(commandPorts.records)).secret ?? (own && secretHash(own));
  if (secret === undefined || secretHash(secret) === hash) return hash;
  throw new OperatorError(
    'SURETY_SECRET differs from the secret of the data folder, so links in sent mails would stop working. Leave it out here, and set it in ' +
      'every process on the servers to the previous SURETY_SECRET or to the text of the file secret in the folder.',
  );
}

function markMoved(folder: string, at: string, servers: Servers): void {
  try {
    markMigrated(folder, at, addressesOf(servers));
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const sentence = `The data folder cannot be marked as moved: ${error.message}. Run surety migrate again to continue.`;
    throw new OperatorError(sentence, { cause: error });
  }
}

function asText({ events, sha256, contents, revoked_keys: keys, values, verification, is_moved }: MigrationReport) {
  return [
    `${events.toLocaleString('en')} events are on the servers, in the order of the data folder; SHA-256 of both logs: ${sha256}.`,
    `Records: ${contents} contents, ${keys} revoked keys, ${values} values.`,
    describeReport(verification),
    is_moved
      ? `The migration is complete: start the services on the servers. No service starts on the data folder any more; its file ${FILES.migrated} says why.`
      : 'The migration is not complete, and no service starts on these servers.',
  ].join('\n');
}
