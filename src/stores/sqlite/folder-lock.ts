import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { createFolder, writePrivateFile } from '#service/config/data-folder.ts';
import { StoreUnavailable } from '../shared/store-unavailable.ts';
import { isSqliteError } from './connection.ts';

const lockFile = 'surety.lock';
const holderFile = 'surety.pid';
const addressFile = 'surety.url';
const retryMs = 50;
const busyCode = 5;

/** Another process has locked the data folder. */
export class FolderLocked extends Error {
  override readonly name = 'FolderLocked';
  readonly folder: string;
  readonly holder: string | undefined;
  constructor(folder: string, holder: string | undefined) {
    const who = holder === undefined ? 'another process' : `process ${holder}`;
    super(`The folder ${folder} is held by ${who}; only one process can work in it`);
    this.folder = folder;
    this.holder = holder;
  }
}

export interface FolderLock {
  /** Stores where the service of this process can be reached, for commands on this folder; undefined: it stops. */
  publishAddress(url: string | undefined): void;
  release(): void;
}

/**
 * Locks the data folder for this process, with a lock of the kernel that ends with the process. Waits up to `waitMs`
 * for the current holder to end.
 *
 * Open `surety.lock` only through SQLite in this process: closing any other file handle would release the lock.
 * @throws {FolderLocked}
 * @throws {StoreUnavailable} when the lock file cannot be opened
 */
export async function lockFolder(folder: string, options: { readonly waitMs?: number } = {}): Promise<FolderLock> {
  createFolder(folder);
  const deadline = performance.now() + (options.waitMs ?? 10_000);
  for (;;) {
    const database = tryLock(join(folder, lockFile));
    if (database !== undefined) return writeHolder(folder, database);
    if (performance.now() >= deadline) throw new FolderLocked(folder, readHolder(folder));
    await delay(retryMs);
  }
}

function tryLock(file: string): DatabaseSync | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 0 });
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database?.close();
    if (!isSqliteError(error)) throw error;
    if (error.errcode === busyCode) return undefined;
    throw new StoreUnavailable(`SQLite cannot open ${file}: ${error.message}`, { cause: error });
  }
}

function writeHolder(folder: string, database: DatabaseSync): FolderLock {
  const [holder, address] = [join(folder, holderFile), join(folder, addressFile)];
  // A service that was killed leaves its address.
  rmSync(address, { force: true });
  writeFileSync(holder, `${process.pid}\n`);
  return {
    publishAddress: (url) => (url === undefined ? rmSync(address, { force: true }) : writePrivateFile(address, url)),
    release: () => {
      if (!database.isOpen) return;
      rmSync(address, { force: true });
      rmSync(holder, { force: true });
      database.close();
    },
  };
}

/** Returns the address of the service that holds the folder; undefined when none does, or it has not started yet. */
export function findServiceOf(folder: string): string | undefined {
  const address = join(folder, addressFile);
  if (!existsSync(address)) return undefined;
  const database = tryLock(join(folder, lockFile));
  database?.close();
  return database === undefined ? readLine(address) : undefined;
}

/** Reads the process id for error messages; the file may be stale or missing. */
function readHolder(folder: string): string | undefined {
  return readLine(join(folder, holderFile));
}

function readLine(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}
