import { backup, DatabaseSync } from 'node:sqlite';
import { BUSY_TIMEOUT_MS, openReader } from './database.ts';

/** Pages that are copied before other work gets its turn. */
const PAGES_PER_STEP = 1_000;

export interface CopyProgress {
  readonly pages: number;
  readonly share: number;
}

/** Databases as they were at one instant. */
interface Snapshots {
  /**
   * Copies a database to a new file while others write to it.
   * @throws {Error} of SQLite, for example when the disk is full
   */
  copy(file: string, target: string, onProgress: (progress: CopyProgress) => void): Promise<void>;
  close(): void;
}

/**
 * Opens existing WAL databases for reading at one instant, at which no other process writes to any of them. Writers
 * wait only while they are opened.
 * @throws {Error} of SQLite, for example when a writer keeps its lock for too long
 */
export function openSnapshots(files: readonly string[]): Snapshots {
  const locks: DatabaseSync[] = [];
  const readers = new Map<string, DatabaseSync>();
  const close = (): void => {
    for (const reader of readers.values()) if (reader.isOpen) reader.close();
  };
  try {
    for (const file of files) {
      const lock = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
      locks.push(lock);
      lock.exec('BEGIN IMMEDIATE');
    }
    for (const file of files) {
      const reader = openReader(file);
      readers.set(file, reader);
      // The transaction sees the database as it is at its first read.
      reader.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
    }
  } catch (error) {
    close();
    throw error;
  } finally {
    for (const lock of locks) lock.close();
  }
  return {
    copy: async (file, target, onProgress) => {
      const reader = readers.get(file);
      if (reader === undefined) throw new Error(`there is no snapshot of ${file}`);
      const progress = ({ totalPages, remainingPages }: { totalPages: number; remainingPages: number }): void =>
        onProgress({ pages: totalPages - remainingPages, share: 1 - remainingPages / totalPages });
      await backup(reader, target, { rate: PAGES_PER_STEP, progress });
    },
    close,
  };
}
