import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createFolder, FILES, syncFolder, writePrivateFile } from '../config/data-folder.ts';
import { adminKeyFile, secretFile } from '../security/start-secrets.ts';
import { type CopyProgress, openSnapshots } from '#stores/sqlite/snapshots.ts';

export const DATABASES = [FILES.eventLog, FILES.records];

type OnProgress = (progress: CopyProgress & { readonly file: string }) => void;

/**
 * Copies databases and secrets of a data folder as they are at one instant, also while a service runs. The copy is made
 * in a folder beside the target and renamed in the end, so that the target is whole or missing.
 * @throws {Error} of the operating system or SQLite, for example when the target is not empty or the disk is full
 */
export async function backUpFolder(folder: string, target: string, onProgress: OnProgress): Promise<void> {
  const partial = `${target}.partial`;
  if (existsSync(target)) removeEmptyFolder(target);
  removeBackup(partial);
  createFolder(dirname(partial));
  mkdirSync(partial, { mode: 0o700 });
  try {
    await copyDatabases(folder, partial, onProgress);
    for (const file of textFilesOf(folder).filter((one) => existsSync(one)))
      writePrivateFile(join(partial, basename(file)), readFileSync(file, 'utf8').trimEnd());
    syncFolder(partial);
    renameSync(partial, target);
    syncFolder(dirname(target));
  } catch (error) {
    removeBackup(partial);
    throw error;
  }
}

function removeEmptyFolder(folder: string): void {
  if (readdirSync(folder).length > 0) throw new Error('the folder is not empty; name one that is new or empty');
  rmdirSync(folder);
}

async function copyDatabases(folder: string, target: string, onProgress: OnProgress): Promise<void> {
  const names = DATABASES.filter((name) => existsSync(join(folder, name)));
  const snapshots = openSnapshots(names.map((name) => join(folder, name)));
  try {
    for (const file of names) {
      const copy = join(target, file);
      await snapshots.copy(join(folder, file), copy, (progress) => onProgress({ file, ...progress }));
      chmodSync(copy, 0o600);
    }
  } finally {
    snapshots.close();
  }
}

function textFilesOf(folder: string): readonly string[] {
  return [secretFile(folder), adminKeyFile(folder), join(folder, FILES.migrated)];
}

/**
 * Removes what an interrupted backup has left.
 * @throws {Error} before it removes anything, when the folder has another file
 */
function removeBackup(folder: string): void {
  if (!existsSync(folder)) return;
  const texts = textFilesOf(folder).flatMap((file) => [file, `${file}.partial`]);
  const databases = DATABASES.flatMap((name) => ['', '-journal', '-wal', '-shm'].map((end) => name + end));
  const files = new Set([...texts.map((file) => basename(file)), ...databases]);
  const names = readdirSync(folder);
  // It may be the data folder of a service.
  const other = names.find((name) => !files.has(name));
  if (other !== undefined)
    throw new Error(`${folder} has ${other}, which no backup creates; delete or rename the folder`);
  for (const name of names) rmSync(join(folder, name));
  rmdirSync(folder);
}
