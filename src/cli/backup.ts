import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Settings } from '../config.ts';
import { FILES, syncFolder, writePrivateFile } from '../data-folder.ts';
import { ProgressBar } from '../import/progress.ts';
import { adminKeyFile, secretFile } from '../security/start-secrets.ts';
import { openSnapshots } from '../sqlite/snapshots.ts';
import { parseWords } from './arguments.ts';
import { EXIT, OperatorError, WrongUse } from './outcome.ts';

const DATABASES = [FILES.eventLog, FILES.records];
const ALL_DATABASES = [...DATABASES, FILES.jobs];

/** `surety backup DIR`: copies what cannot be derived from the data folder, also while a service runs. */
export async function runBackup(words: readonly string[], settings: Settings): Promise<number> {
  const { positionals } = parseWords(words, {});
  const [target, ...rest] = positionals;
  if (target === undefined || rest.length > 0) throw new WrongUse('surety backup needs one DIR.');
  const { dataFolder, eventStoreUrl, mongoUrl } = settings;
  if (eventStoreUrl !== undefined || mongoUrl !== undefined) {
    throw new OperatorError(
      'surety backup copies a data folder; EVENTSTORE_URL and MONGODB_URL must not be set. The runbook says how to back up servers.',
    );
  }
  for (const name of DATABASES) {
    if (!existsSync(join(dataFolder, name)))
      throw new OperatorError(`There is no ${name} in the data folder ${dataFolder}.`);
  }
  try {
    await backUp(dataFolder, resolve(target));
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`The backup to ${target} failed: ${(error as Error).message}.`, { cause: error });
  }
  process.stdout.write(
    `${target} has ${DATABASES.join(' and ')} of ${dataFolder} and its secrets. surety verify with SURETY_DATA=${target} checks it.\n`,
  );
  return EXIT.done;
}

/** Copies to a folder beside the target that is renamed in the end, so that the target is whole or missing. */
async function backUp(folder: string, target: string): Promise<void> {
  const partial = `${target}.partial`;
  const secrets = [secretFile(folder), adminKeyFile(folder), join(folder, FILES.migrated)].filter((file) =>
    existsSync(file),
  );
  // Fails when the target is not empty, before anything is copied.
  if (existsSync(target)) rmdirSync(target);
  removeBackup(partial);
  mkdirSync(partial, { recursive: true, mode: 0o700 });
  try {
    await copyDatabases(folder, partial);
    for (const file of secrets) writePrivateFile(join(partial, basename(file)), readFileSync(file, 'utf8').trimEnd());
    renameSync(partial, target);
    syncFolder(dirname(target));
  } catch (error) {
    removeBackup(partial);
    throw error;
  }
}

async function copyDatabases(folder: string, target: string): Promise<void> {
  const bar = new ProgressBar(process.stderr);
  const names = ALL_DATABASES.filter((name) => existsSync(join(folder, name)));
  const snapshots = openSnapshots(names.map((name) => join(folder, name)));
  try {
    for (const name of names) {
      const copy = join(target, name);
      const startedAt = performance.now();
      await snapshots.copy(join(folder, name), copy, ({ pages, share }) => {
        const seconds = (performance.now() - startedAt) / 1_000;
        bar.show({ file: name, rows: pages, unit: 'pages', seconds, share });
      });
      chmodSync(copy, 0o600);
    }
  } finally {
    snapshots.close();
    bar.clear();
  }
}

/** Removes what a backup that was interrupted has left, and nothing else. */
function removeBackup(folder: string): void {
  if (!existsSync(folder)) return;
  const secrets = [secretFile(folder), adminKeyFile(folder), join(folder, FILES.migrated)];
  const databases = ALL_DATABASES.flatMap((name) =>
    ['', '-journal', '-wal', '-shm'].map((end) => join(folder, name + end)),
  );
  for (const file of [...secrets, ...secrets.map((secret) => `${secret}.partial`), ...databases])
    rmSync(file, { force: true });
  rmdirSync(folder);
}
