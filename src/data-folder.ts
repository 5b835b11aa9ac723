import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OperatorError } from './operator-error.ts';

/** Names of files in the data folder. */
export const FILES = {
  eventLog: 'events.db',
  readModels: 'read-models.db',
  records: 'records.db',
  /** Exists after a migration to servers, until the operator deletes it. */
  migrated: 'MIGRATED',
} as const;

/**
 * Refuses a folder whose event log was removed, because a new log would be taken for the complete history.
 * @throws {OperatorError} when the folder has read models but no event log
 */
export function requireEventLog(folder: string): void {
  const [log, readModels] = [join(folder, FILES.eventLog), join(folder, FILES.readModels)];
  if (existsSync(log) || !existsSync(readModels)) return;
  throw new OperatorError(
    `${log} is missing, although ${readModels}, which is derived from it, exists: restore it from a backup, or empty ${folder} to start a new installation.`,
  );
}

/**
 * Creates a folder for its owner only, and the folders above it. Not by the option `recursive` of Node, which never returns where the file
 * system refuses new folders as missing (ENOENT), as /proc does.
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
