import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { MailJob } from '../../src/domain/mail-job/mail-job.ts';
import { openSqliteRecords } from '../../src/records/sqlite/sqlite-records.ts';

/**
 * Makes a data folder one of the version before the event log was the register of mails: its jobs in `jobs.db`, its checkpoint
 * under the earlier name.
 */
export async function makeEarlierFolder(
  folder: string,
  jobs: readonly { readonly job: MailJob; readonly dead: string | null }[],
): Promise<void> {
  const records = openSqliteRecords({ file: join(folder, 'records.db') });
  const position = await records.getValue('checkpoint mail-requests');
  await records.setValue('checkpoint mail-jobs', position ?? '');
  await records.close();
  const own = new DatabaseSync(join(folder, 'records.db'));
  own.exec("DELETE FROM named_values WHERE name = 'checkpoint mail-requests'");
  own.close();
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
