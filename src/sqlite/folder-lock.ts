import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';

import { StoreUnavailable } from '../event-store/event-store.ts';
import { isSqliteError } from './connection.ts';

const lockFile = 'surety.lock';
const holderFile = 'surety.pid';
const retryMs = 50;
const busyCode = 5;

/** Another process works in the data folder. */
export class FolderHeld extends Error {
  override readonly name = 'FolderHeld';
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
  /** Gives the folder free; repeating it does nothing. */
  release(): void;
}

/**
 * Takes the data folder for this process. The lock is the kernel's: it is gone with the process, however that ends.
 * Waits up to `waitMs` for a holder that is just ending.
 *
 * Nothing in this process may open `surety.lock` by other means than SQLite: closing it would give up the lock.
 * @throws {FolderHeld}
 * @throws {StoreUnavailable} when the lock cannot be asked for
 */
export async function holdFolder(folder: string, options: { readonly waitMs?: number } = {}): Promise<FolderLock> {
  // What it will hold is about people: a folder that is made here is for its owner only.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const deadline = performance.now() + (options.waitMs ?? 10_000);
  for (;;) {
    const database = tryLock(join(folder, lockFile));
    if (database !== undefined) return held(folder, database);
    if (performance.now() >= deadline) throw new FolderHeld(folder, readHolder(folder));
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

function held(folder: string, database: DatabaseSync): FolderLock {
  const holder = join(folder, holderFile);
  writeFileSync(holder, `${process.pid}\n`);
  return {
    release: () => {
      if (!database.isOpen) return;
      rmSync(holder, { force: true });
      database.close();
    },
  };
}

/** The pid is for people only: it may be stale or missing, the lock decides. */
function readHolder(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, holderFile), 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}
