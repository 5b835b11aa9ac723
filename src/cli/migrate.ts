import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PROJECTIONS } from '#projections/registry.ts';
import { addressesOf, ROLES, type Settings } from '#service/config/config.ts';
import { LEASED_ROLES } from '#service/compose/process-runner.ts';
import { storeLocations } from '#service/config/store-locations.ts';
import { verifyEventLog } from '#service/compose/verify.ts';
import { WrongExpectedRevision } from '#stores/event-log/event-log.ts';
import { ProgressBar } from './import/progress.ts';
import { markMigrated } from './migration/folder-mark.ts';
import { MigrationDone, refuseAfterMigration } from './migration/migration-state.ts';
import {
  type MigrationReport,
  type MigrationStep,
  type MigrationTarget,
  migrate,
  ServicesRunning,
} from './migration/migrate.ts';
import { TargetLogMismatch } from './migration/logs.ts';
import { BrokenContent, UnknownValue } from './migration/records.ts';
import { findLeaders } from '#processes/lease/leadership.ts';
import { readInstallation } from '#stores/records/installation.ts';
import { DAMAGED_LOG_REMEDY, FILES } from '#service/config/data-folder.ts';
import type { Logger } from '#service/observability/logging.ts';
import { type Application, isSystemError } from '#service/compose/application.ts';
import { ensureSecret, findSecret, secretFile, secretHash } from '#service/security/start-secrets.ts';
import { parseOptions } from './arguments.ts';
import { stallBefore, openApplication } from './with-application.ts';
import { EXIT, JSON_OPTION, OperatorError, printJson } from './outcome.ts';

const SHOW_EVERY_MS = 200;
const UNIT: Readonly<Record<MigrationStep, string>> = {
  'compare logs': 'events',
  'copy log': 'events',
  'prove log': 'events',
  'copy records': 'records',
  'read models': 'events',
  'compare read models': 'documents',
};

export const MIGRATE_OPTIONS = { json: JSON_OPTION } as const;

/** `surety migrate`: moves the data folder to the servers of the settings and compares the result. */
export async function runMigrate(words: readonly string[], settings: Settings, log: Logger): Promise<number> {
  const values = parseOptions('surety migrate', words, MIGRATE_OPTIONS);
  if (settings.servers === undefined)
    throw new OperatorError(
      'surety migrate needs the addresses of servers: EVENTSTORE_URL, MONGODB_URL, KAFKA_BROKERS.',
    );
  if (!existsSync(join(settings.dataFolder, FILES.eventLog))) {
    throw new OperatorError(`There is no event log in the data folder ${settings.dataFolder}.`);
  }
  const withAllRoles = { ...settings, roles: ROLES };
  const secret = existsSync(secretFile(settings.dataFolder)) ? undefined : settings.secret;
  const folder = await openApplication({ ...withAllRoles, servers: undefined, secret }, log, { purpose: 'read' });
  try {
    const hash = await secretHashOf(folder, settings);
    await requireSoundLog(settings);
    const servers = await openApplication(withAllRoles, log);
    try {
      const report = await moveStores(folder, servers, { settings, secretHash: hash });
      const isEqual = report.readModels.differences.length === 0;
      if (values.json) printJson(asJson(report));
      else process.stdout.write(`${asText(report)}\n`);
      return isEqual ? EXIT.done : EXIT.failed;
    } finally {
      await servers.stop();
    }
  } finally {
    await folder.stop();
  }
}

/** Returns the hash of the last secret of the folder's service. @throws {OperatorError} when the settings have another secret */
async function secretHashOf({ commandPorts }: Application, { secret, dataFolder }: Settings): Promise<string> {
  const { records, services } = commandPorts;
  const inFolder = (): string =>
    findSecret(dataFolder) ?? secret ?? ensureSecret(dataFolder, services.randomBytes).value;
  const hash = (await readInstallation(records)).secret ?? secretHash(inFolder());
  if (secret === undefined || secretHash(secret) === hash) return hash;
  throw new OperatorError(
    'SURETY_SECRET differs from the secret of the data folder, so links in sent mails would stop working. Leave it out here, and set it in ' +
      'every process on the servers to the previous SURETY_SECRET or to the text of the file secret in the folder.',
  );
}

/** Requires a log and records without a fault, because the servers have no checksum of the events. @throws {OperatorError} */
async function requireSoundLog({ dataFolder }: Settings): Promise<void> {
  const { faults } = await verifyEventLog(storeLocations({ dataFolder, servers: undefined }));
  if (faults === 0) return;
  throw new OperatorError(
    `The event log or the records in the data folder ${dataFolder} have faults, which surety verify names. ${DAMAGED_LOG_REMEDY}`,
  );
}

async function moveStores(
  folder: Application,
  servers: Application,
  { settings, secretHash: hash }: { readonly settings: Settings; readonly secretHash: string },
): Promise<MigrationReport> {
  // A moved folder must not change.
  await refuseAfterMigration(servers.commandPorts.records).catch((error: unknown) => {
    throw asOperatorError(error);
  });
  await catchUp(folder);
  const target: MigrationTarget = {
    ...stores(servers),
    buildReadModels: async () => await catchUp(servers, bar.showShare),
    findLeaders: async (atLeastMs) => {
      const { leases } = servers.commandPorts.records;
      return leases === undefined
        ? []
        : await findLeaders(leases, LEASED_ROLES, { pause: async (ms) => await pause(ms), atLeastMs });
    },
  };
  // Positions of an embedded log have no gaps, so the last one is the number of events.
  const bar = stepBar(Number((await folder.eventStore.lastPosition()) ?? 0n));
  try {
    return await migrate({
      source: {
        ...stores(folder),
        secretHash: hash,
        markMoved: () => markMoved(settings, servers.commandPorts.now()),
      },
      target,
      collections: PROJECTIONS.map(({ name }) => name),
      onProgress: bar.show,
    });
  } catch (error) {
    throw asOperatorError(error);
  } finally {
    bar.clear();
  }
}

function markMoved({ dataFolder, servers }: Settings, at: string): void {
  if (servers === undefined) return;
  try {
    markMigrated(dataFolder, at, addressesOf(servers));
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const what = `${error.message}. Run surety migrate again to continue`;
    const sentence = `The data folder cannot be marked as moved, so the migration is not complete: ${what}.`;
    throw new OperatorError(sentence, { cause: error });
  }
}

function stores({ eventStore, readModels, commandPorts }: Application) {
  return { eventStore, readModels, records: commandPorts.records };
}

/** Runs the projector until it has caught up with the log, then stops it. @throws {OperatorError} when it stalls */
async function catchUp(application: Application, onShare: (share: number) => void = () => {}): Promise<void> {
  const projector = await application.startProjector();
  const head = await application.eventStore.lastPosition();
  if (head === undefined) return;
  const timer = setInterval(() => onShare(Number(projector.status().position ?? 0n) / Number(head)), SHOW_EVERY_MS);
  const failure = await stallBefore(projector, head);
  clearInterval(timer);
  await projector.stop();
  if (failure !== undefined) throw new OperatorError(`The read models are stalled: ${failure}.`);
}

function stepBar(events: number) {
  const bar = new ProgressBar(process.stderr);
  let current: MigrationStep | undefined;
  let startedAt = performance.now();
  const seconds = (step: MigrationStep): number => {
    if (step !== current) startedAt = performance.now();
    current = step;
    return (performance.now() - startedAt) / 1_000;
  };
  return {
    show: (step: MigrationStep, count: number): void => {
      const share = events === 0 ? 1 : count / events;
      bar.show({ file: step, rows: count, seconds: seconds(step), share, unit: UNIT[step] });
    },
    showShare: (share: number): void => {
      const rows = Math.round(share * events);
      bar.show({ file: 'read models', rows, seconds: seconds('read models'), share, unit: UNIT['read models'] });
    },
    clear: (): void => bar.clear(),
  };
}

/** Errors of a migration, with what follows their message for the operator. */
const REMEDIES = [
  [TargetLogMismatch, ': the servers must be empty, or contain the first part of this migration.'],
  [ServicesRunning, ': stop all of them, and start them again after the migration.'],
  [MigrationDone, '.'],
  [UnknownValue, '.'],
  [BrokenContent, '.'],
] as const;

function asOperatorError(error: unknown): unknown {
  if (error instanceof WrongExpectedRevision)
    return new OperatorError(`Another process writes to the servers (${error.message}).`, { cause: error });
  const remedy = REMEDIES.find(([kind]) => error instanceof kind)?.[1];
  return remedy === undefined ? error : new OperatorError(`${(error as Error).message}${remedy}`, { cause: error });
}

function asJson({ events, copied, blobs, revokedKeys, values, readModels }: MigrationReport): string {
  const { compared, differences } = readModels;
  const counts = { events, copied, blobs, revoked_keys: revokedKeys, values };
  return JSON.stringify({ ...counts, read_models: { compared, differences } });
}

function asText({ events, copied, blobs, revokedKeys, values, readModels }: MigrationReport): string {
  const { compared, differences } = readModels;
  const lines = differences.map(({ collection, key, what }) => {
    const difference = typeof what === 'string' ? what : `differs in ${what.join(', ')}`;
    return `${collection} ${key}: ${difference}`;
  });
  const earlier = copied === events ? '' : `, ${(events - copied).toLocaleString('en')} of them from an earlier run`;
  lines.push(
    `${events.toLocaleString('en')} events are on the servers, in the order of the data folder${earlier}.`,
    `Records: ${blobs} contents, ${revokedKeys} revoked keys, ${values} values.`,
    `${compared.toLocaleString('en')} documents compared, except for positions: ${differences.length === 0 ? 'no difference' : `${differences.length} different`}.`,
    differences.length === 0
      ? `The migration is complete: start the services on the servers. No service starts on the data folder any more; its file ${FILES.migrated} says why.`
      : 'The migration is not complete, and no service starts on these servers. Run surety verify to check the data folder.',
  );
  return lines.join('\n');
}
