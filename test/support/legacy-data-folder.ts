import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { MailJob } from '../../src/domain/mail-job/mail-job.ts';
import { openSqliteRecords } from '../../src/records/sqlite/sqlite-records.ts';

/** Changes a data folder to the format before mail jobs were events: jobs in `jobs.db`, the checkpoint under its former name. */
export async function createLegacyDataFolder(
  folder: string,
  jobs: readonly { readonly job: MailJob; readonly dead: string | null }[],
): Promise<void> {
  const records = openSqliteRecords({ file: join(folder, 'records.db') });
  const position = await records.getValue('checkpoint mail-requests');
  await records.setValue('checkpoint mail-jobs', position ?? '');
  await records.close();
  const recordsFile = new DatabaseSync(join(folder, 'records.db'));
  recordsFile.exec("DELETE FROM named_values WHERE name = 'checkpoint mail-requests'");
  recordsFile.close();
  const database = new DatabaseSync(join(folder, 'jobs.db'));
  database.exec(`
    PRAGMA journal_mode = WAL;
    CREATE TABLE jobs (number INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL,
      edition INTEGER NOT NULL, due TEXT NOT NULL, dead TEXT, UNIQUE (queue, id)) STRICT;`);
  const insert = database.prepare('INSERT INTO jobs (queue, id, body, edition, due, dead) VALUES (?, ?, ?, 1, ?, ?)');
  for (const { job, dead } of jobs)
    insert.run('surety.jobs.mail.v1', job.jobId, JSON.stringify(job), '2026-03-01T10:00:00.000Z', dead);
  database.close();
}
