import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { OperatorError } from '#stores/shared/errors.ts';

/** Names of files in the data folder. */
export const FILES = {
  eventLog: 'events.db',
  records: 'records.db',
  /** Exists after a migration to servers, until the operator deletes it. */
  migrated: 'MIGRATED',
} as const;

const READ_MODELS = /^read-models-([0-9a-f]{12})-(\d{1,9})\.db$/;

export interface ReadModelsFile {
  /** Name in the folder. */
  readonly name: string;
  readonly hash: string;
  readonly number: number;
}

export function nameOfReadModels(hash: string, number: number): string {
  return `read-models-${hash}-${number}.db`;
}

/** Returns the databases of read models in the folder; none when it does not exist. */
export function readModelsIn(folder: string): readonly ReadModelsFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const [, hash, number] = READ_MODELS.exec(name) ?? [];
    return hash === undefined ? [] : [{ name, hash, number: Number(number) }];
  });
}

/**
 * Returns whether the folder has the file with contents: a start that was killed while it created a database leaves one
 * of 0 bytes.
 */
export function hasFile(folder: string, name: string): boolean {
  return (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Returns the error for a database without contents, although `found` shows that it had some. */
export function databaseMissing(folder: string, name: string, found: string): OperatorError {
  const file = join(folder, name);
  const state = existsSync(file) ? 'is empty' : 'is missing';
  return new OperatorError(
    `${file} ${state}, although there is ${found}: restore the folder from a backup (docs/runbook.md, A damaged log), or empty it to start a new installation.`,
  );
}

/**
 * Creates a folder for its owner only, and the folders above it. Not by the option `recursive` of Node, which never
 * returns where the file system refuses new folders as missing (ENOENT), as /proc does.
 * @throws {Error} of the operating system
 */
export function createFolder(folder: string): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) createFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** What to do about a damaged log. The read models may have been folded before the damage. */
export const DAMAGED_LOG_REMEDY =
  'Restore it from a backup (docs/runbook.md, A damaged log). Neither delete nor rebuild the read models before: they may be the only good copy.';

/** Returns what to do about a damaged database, in whole sentences. */
export function remedyOfDamaged(file: string): string {
  if (!READ_MODELS.test(basename(file))) return DAMAGED_LOG_REMEDY;
  return 'The next start renames it to end with .damaged, and builds the read models from the log. Delete it when surety verify has found no fault in the log.';
}

/** Writes a file atomically and durably, readable for its owner only. Creates its folder if it is missing. */
export function writePrivateFile(file: string, text: string): void {
  createFolder(dirname(file));
  const partial = `${file}.partial`;
  const handle = openSync(partial, 'w', 0o600);
  try {
    writeSync(handle, `${text}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(partial, file);
  syncFolder(dirname(file));
}

/** Error codes of systems and file systems that cannot sync folders, such as Windows and some network file systems. */
const UNSUPPORTED_CODES = ['EINVAL', 'EBADF', 'EISDIR', 'EACCES', 'EPERM', 'ENOTSUP'];

/** Ensures that a renamed file survives a power cut, where the file system supports it. */
export function syncFolder(folder: string): void {
  try {
    const handle = openSync(folder, 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (!UNSUPPORTED_CODES.includes(String((error as NodeJS.ErrnoException).code))) throw error;
  }
}
