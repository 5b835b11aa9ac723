import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes a file of one line or more, in place of one that is there: whole or not at all, also when the power fails, and for the
 * eyes of its owner only. Its folder is made where it is missing.
 */
export function writePrivately(file: string, text: string): void {
  // Where no store lies in the folder, nobody has made it yet.
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
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

/** What systems and file systems answer that cannot do this for a folder, as Windows and some of networks. */
const NOT_FOR_FOLDERS = ['EINVAL', 'EBADF', 'EISDIR', 'EACCES', 'EPERM', 'ENOTSUP'];

/** The new name outlives a power cut, where the file system can promise that. */
function syncFolder(folder: string): void {
  try {
    const handle = openSync(folder, 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (!NOT_FOR_FOLDERS.includes(String((error as NodeJS.ErrnoException).code))) throw error;
  }
}
