import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StoreUnavailable } from '../store-unavailable.ts';
import { LEGACY_MAIL_QUEUE, type LegacyMailQueue } from '../processes/mail-jobs/legacy-mail-queue.ts';
import { FILES } from '../data-folder.ts';
import { openReader, select } from '../sqlite/database.ts';

/** Returns the mail queue of earlier releases in a data folder. */
export function legacyMailQueueIn(dataFolder: string): LegacyMailQueue {
  const file = join(dataFolder, FILES.jobs);
  return {
    read: async () => await Promise.resolve(existsSync(file) ? bodiesIn(file) : []),
    remove: async () => {
      for (const suffix of ['-shm', '-wal', '']) rmSync(file + suffix, { force: true });
      await Promise.resolve();
    },
  };
}

function bodiesIn(file: string): readonly unknown[] {
  try {
    const database = openReader(file, 2);
    try {
      const sql = 'SELECT body FROM jobs WHERE queue = ? AND dead IS NULL ORDER BY number';
      return select(database, sql)
        .all(LEGACY_MAIL_QUEUE)
        .map(([body]) => JSON.parse(String(body)) as unknown);
    } finally {
      database.close();
    }
  } catch (error) {
    throw new StoreUnavailable(`The jobs in ${file} cannot be read`, { cause: error });
  }
}
