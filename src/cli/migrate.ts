import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PROJECTIONS } from '../../projections/registry.ts';
import { addressesOf, ROLES, serversNotSet, type Settings } from '../config.ts';
import type { Application } from '../composition/application.ts';
import { InstallationMismatch } from '../composition/installation-check.ts';
import { earlierJobsIn } from '../composition/jobs-file.ts';
import { LEASED_ROLES } from '../composition/process-runner.ts';
import { WrongExpectedRevision } from '../event-store/event-store.ts';
import { ProgressBar } from '../import/progress.ts';
import { markMigrated } from '../migration/folder-mark.ts';
import { MigrationDone, refuseAfterMigration } from '../migration/mark.ts';
import {
  type MigrationReport,
  type MigrationStep,
  type MigrationTarget,
  migrate,
  ServicesRun,
} from '../migration/migrate.ts';
import { LogMismatch, TooLargeEvent } from '../migration/logs.ts';
import { BrokenContent, UnknownValue } from '../migration/records.ts';
import { findLeaders } from '../migration/leaders.ts';
import { takeOverEarlierJobs } from '../processes/mail-jobs/earlier-jobs.ts';
import { MailCheckpoint } from '../processes/mail-jobs/checkpoint.ts';
import { readInstallation } from '../records/installation.ts';
import { FILES } from '../data-folder.ts';
import type { Logger } from '../observability/logging.ts';
import { isSystemError } from '../composition/system-error.ts';
import { ensureSecret, findSecret, secretFile, secretHash } from '../security/start-secrets.ts';
import { parseWords } from './arguments.ts';
import { failureToReach, openApplication } from './with-application.ts';
import { OperatorError, EXIT, WrongUse } from './outcome.ts';

const SHOW_EVERY_MS = 200;
/** What is counted in each step. */
const UNIT: Readonly<Record<MigrationStep, string>> = {
  'compare logs': 'events',
  'copy log': 'events',
  'prove log': 'events',
  'copy records': 'records',
  'read models': 'events',
  'compare read models': 'documents',
};

const SERVERS = { eventStoreUrl: undefined, mongoUrl: undefined, kafkaBrokers: undefined } as const;

/** `surety migrate`: moves the data folder to the servers that the settings name, and proves that what is there is the same. */
export async function runMigrate(words: readonly string[], settings: Settings, log: Logger): Promise<number> {
  const { values, positionals } = parseWords(words, { json: { type: 'boolean', default: false } });
  if (positionals.length > 0) throw new WrongUse(`surety migrate takes no ${positionals.join(' ')}.`);
  const missing = serversNotSet(settings);
  if (missing.length > 0) {
    const notSet = `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not set`;
    throw new OperatorError(`surety migrate needs the addresses of EventStoreDB, MongoDB and Kafka, and ${notSet}.`);
  }
  if (!existsSync(join(settings.dataFolder, FILES.eventLog))) {
    throw new OperatorError(`There is no event log in the data folder ${settings.dataFolder}.`);
  }
  const withAllRoles = { ...settings, roles: ROLES };
  const secret = existsSync(secretFile(settings.dataFolder)) ? undefined : settings.secret;
  const folder = await openFolder({ ...withAllRoles, ...SERVERS, secret }, log);
  try {
    const hash = await secretHashOf(folder, settings);
    const servers = await openApplication(withAllRoles, log);
    try {
      const report = await moved(folder, servers, { settings, secretHash: hash, log });
      const isEqual = report.readModels.differences.length === 0;
      process.stdout.write(`${values.json ? asJson(report) : asText(report)}\n`);
      return isEqual ? EXIT.done : EXIT.failed;
    } finally {
      await servers.stop();
    }
  } finally {
    await folder.stop();
  }
}

/** Whether the folder's service used Kafka is not compared: jobs there are not moved. @throws {OperatorError} */
async function openFolder(settings: Settings, log: Logger): Promise<Application> {
  try {
    return await openApplication(settings, log, { purpose: 'read' });
  } catch (error) {
    if (!(error instanceof InstallationMismatch)) throw error;
    const { dataFolder } = settings;
    const sentence = `The records in the data folder ${dataFolder} belong to a log on a server: surety migrate moves one of the folder.`;
    throw new OperatorError(sentence, { cause: error });
  }
}

/** Returns the hash of the secret that the folder's service had last, or that is in the folder. @throws {OperatorError} when the settings have another */
async function secretHashOf({ commandPorts }: Application, { secret, dataFolder }: Settings): Promise<string> {
  const { records, randomBytes } = commandPorts;
  const inFolder = (): string => findSecret(dataFolder) ?? secret ?? ensureSecret(dataFolder, randomBytes).value;
  const hash = (await readInstallation(records)).secret ?? secretHash(inFolder());
  if (secret === undefined || secretHash(secret) === hash) return hash;
  throw new OperatorError(
    'SURETY_SECRET is not the secret of the folder, so links in mails that were sent would end: leave it out here, and set it to ' +
      'the one that the service on the folder had, or the text of its file secret, in every process on the servers.',
  );
}

/** @throws {OperatorError} */
async function moved(
  folder: Application,
  servers: Application,
  {
    settings,
    secretHash: hash,
    log,
  }: { readonly settings: Settings; readonly secretHash: string; readonly log: Logger },
): Promise<MigrationReport> {
  await bringUpToDate(folder, servers, settings, log);
  await catchUp(folder);
  const target: MigrationTarget = {
    ...stores(servers),
    buildReadModels: async () => await catchUp(servers, bar.showShare),
    findLeaders: async (atLeastMs) =>
      await findLeaders(servers.commandPorts.records, LEASED_ROLES, {
        pause: async (ms) => await pause(ms),
        atLeastMs,
      }),
  };
  // The positions of a folder have no gaps.
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
    throw asSentence(error);
  } finally {
    bar.clear();
  }
}

/** Moves the jobs of a folder that an earlier version wrote into its event log. @throws {OperatorError} */
async function bringUpToDate(
  { commandPorts }: Application,
  servers: Application,
  { dataFolder }: Settings,
  log: Logger,
): Promise<void> {
  const checkpoint = new MailCheckpoint(commandPorts.records);
  try {
    // Nothing is added to a folder that was moved.
    await refuseAfterMigration(servers.commandPorts.records);
    await takeOverEarlierJobs({ commandPorts, checkpoint, earlierJobs: earlierJobsIn(dataFolder), log });
  } catch (error) {
    throw asSentence(error);
  }
}

/** @throws {OperatorError} */
function markMoved(settings: Settings, at: string): void {
  try {
    markMigrated(settings.dataFolder, at, addressesOf(settings));
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const what = `${error.message}: surety migrate again goes on`;
    const sentence = `The folder cannot be marked as moved, so the migration is not done (${what}).`;
    throw new OperatorError(sentence, { cause: error });
  }
}

function stores({ eventStore, readModels, commandPorts }: Application) {
  return { eventStore, readModels, records: commandPorts.records };
}

/** Lets the projector follow the log to its end, and stops it: from then on nobody writes. @throws {OperatorError} */
async function catchUp(application: Application, onShare: (share: number) => void = () => {}): Promise<void> {
  const projector = await application.startProjector();
  const head = await application.eventStore.lastPosition();
  if (head === undefined) return;
  const timer = setInterval(() => onShare(Number(projector.status().position ?? 0n) / Number(head)), SHOW_EVERY_MS);
  const failure = await failureToReach(projector, head);
  clearInterval(timer);
  await projector.stop();
  if (failure !== undefined) throw new OperatorError(`The read models are stalled: ${failure}.`);
}

interface StepBar {
  readonly show: (step: MigrationStep, count: number) => void;
  /** Of the read models, 0 to 1. */
  readonly showShare: (share: number) => void;
  readonly clear: () => void;
}

/** One progress bar for step after step, on a terminal. */
function stepBar(events: number): StepBar {
  const bar = new ProgressBar(process.stderr);
  let current: MigrationStep | undefined;
  let began = performance.now();
  const seconds = (step: MigrationStep): number => {
    if (step !== current) began = performance.now();
    current = step;
    return (performance.now() - began) / 1_000;
  };
  return {
    show: (step, count) => {
      const share = events === 0 ? 1 : count / events;
      bar.show({ file: step, rows: count, seconds: seconds(step), share, unit: UNIT[step] });
    },
    showShare: (share) => {
      const rows = Math.round(share * events);
      bar.show({ file: 'read models', rows, seconds: seconds('read models'), share, unit: UNIT['read models'] });
    },
    clear: () => bar.clear(),
  };
}

function asSentence(error: unknown): unknown {
  if (error instanceof LogMismatch) {
    return new OperatorError(`${error.message}: the servers must be empty, or hold the beginning of this migration.`, {
      cause: error,
    });
  }
  if (error instanceof ServicesRun) {
    return new OperatorError(`${error.message}: stop all of them, and start them again when the migration is done.`, {
      cause: error,
    });
  }
  if (error instanceof WrongExpectedRevision) {
    return new OperatorError(`Somebody else writes to the servers (${error.message}).`, { cause: error });
  }
  if ([MigrationDone, TooLargeEvent, UnknownValue, BrokenContent].some((kind) => error instanceof kind)) {
    return new OperatorError(`${(error as Error).message}.`, { cause: error });
  }
  return error;
}

function asJson({ events, copied, blobs, revokedKeys, values, readModels }: MigrationReport): string {
  const { compared, differences } = readModels;
  const counts = { events, copied, blobs, revoked_keys: revokedKeys, values };
  return JSON.stringify({ ...counts, read_models: { compared, differences } });
}

function asText({ events, copied, blobs, revokedKeys, values, readModels }: MigrationReport): string {
  const { compared, differences } = readModels;
  const lines = differences.map(({ collection, key, what }) => {
    const flaw = typeof what === 'string' ? what : `differs in ${what.join(', ')}`;
    return `${collection} ${key}: ${flaw}`;
  });
  const before = copied === events ? '' : `, ${(events - copied).toLocaleString('en')} of them by an earlier run`;
  lines.push(
    `${events.toLocaleString('en')} events are on the servers, in the order of the folder${before}.`,
    `Records: ${blobs} contents, ${revokedKeys} revoked keys, ${values} values.`,
    `${compared.toLocaleString('en')} documents compared, all but positions: ${differences.length === 0 ? 'no difference' : `${differences.length} different`}.`,
    differences.length === 0
      ? `The migration is done: start the services on the servers. None starts on the folder any more: its file ${FILES.migrated} says why.`
      : 'The migration is not done, and no service starts on these servers. surety verify tells whether the folder is at fault.',
  );
  return lines.join('\n');
}
