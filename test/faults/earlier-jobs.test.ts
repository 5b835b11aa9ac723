import { existsSync, readdirSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { MailJobDocument } from '../../projections/mail-jobs/mail-jobs.ts';
import { derivedId } from '../../src/event-sourcing/identifiers.ts';
import { type MailJob, mailJobStream } from '../../src/domain/mail-job/mail-job.ts';
import { openSqliteEventStore } from '../../src/event-store/sqlite/sqlite-event-store.ts';
import { createLegacyDataFolder } from '../support/legacy-data-folder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { useWorkspace } from '../support/workspace.ts';

const place = useWorkspace();

/** Registers merchants in a folder whose service stops before it sends mail; returns their mail jobs in the form of an earlier version. */
async function createMailJobs(names: readonly string[]): Promise<readonly MailJob[]> {
  const service = await place.startService({ settings: { LOG_LEVEL: 'error', SMTP_URL: 'smtp://127.0.0.1:1' } });
  for (const name of names) await service.command('RegisterMerchant', { name, business_email: 'office@bank.example' });
  await service.process.stop();
  const eventStore = openSqliteEventStore({ file: join(place.folder, 'events.db') });
  const log = await eventStore.readAll({ after: undefined, limit: 1_000 });
  await eventStore.close();
  return log
    .filter(({ type }) => type === 'MerchantVerificationRequested.v1')
    .map(({ data }) => ({
      jobId: derivedId('test', JSON.stringify(data)),
      kind: 'verification',
      tenantId: (data as MailJob).tenantId,
      serial: 1,
    }));
}

/** Appends the events of a waiting mail from an earlier version: the stream begins with an attempt. */
async function recordRefusal(job: MailJob): Promise<void> {
  const eventStore = openSqliteEventStore({ file: join(place.folder, 'events.db') });
  const commandId = randomUUID();
  const metadata = {
    recordedAt: '2026-03-01T10:00:00.000Z',
    $correlationId: commandId,
    $causationId: commandId,
    actor: { role: 'system', keyId: null },
    command: { name: 'ConcludeMail', id: commandId },
  };
  const refusal = { reason: 'recipient_refused', smtpCode: 451, retryAt: '2026-03-01T10:01:00.000Z' };
  const effectiveAt = '2026-03-01';
  await eventStore.append(mailJobStream(job.jobId), 'no_stream', [
    { id: randomUUID(), type: 'MailAttempted.v1', data: { ...job, attempt: 1, effectiveAt }, metadata },
    {
      id: randomUUID(),
      type: 'MailRefused.v1',
      data: { jobId: job.jobId, attempt: 1, ...refusal, effectiveAt },
      metadata,
    },
  ]);
  await eventStore.close();
}

test('an upgrade sends each waiting or unattempted mail of the previous version once', async () => {
  const mails = await createMailJobs(['Never tried', 'Waits', 'Dead']);
  const [unattempted, waiting, dead] = mails;
  if (unattempted === undefined || waiting === undefined || dead === undefined)
    throw new Error('there are too few mails');
  await recordRefusal(waiting);
  await createLegacyDataFolder(place.folder, [
    { job: unattempted, dead: null },
    { job: waiting, dead: null },
    { job: dead, dead: 'unreadable' },
  ]);
  const outbox = join(place.folder, 'outbox');
  const sentCount = (job: MailJob): number => readdirSync(outbox).filter((name) => name.includes(job.jobId)).length;
  for (let start = 0; start < 2; start += 1) {
    const service = await place.startService({ settings: { LOG_LEVEL: 'error' } });
    // The relay reads the log in order, so it has passed all earlier events when a later merchant gets its mail.
    const later = await service.command('RegisterMerchant', { name: 'Later', business_email: 'later@bank.example' });
    const { result } = (await later.json()) as { readonly result: { readonly tenant_id: string } };
    await waitUntil(async () => {
      const answer = await service.request('/api/v1/admin/mail-jobs?status=sent&limit=100');
      const { results } = (await answer.json()) as { readonly results: readonly MailJobDocument[] };
      const isSent = (job: MailJob): boolean => results.some(({ job_id: jobId }) => jobId === job.jobId);
      return (
        isSent(unattempted) &&
        isSent(waiting) &&
        results.some(({ tenant_id: tenantId }) => tenantId === result.tenant_id)
      );
    });
    await service.process.stop();
    expect(existsSync(join(place.folder, 'jobs.db'))).toBe(false);
  }
  expect([unattempted, waiting, dead].map(sentCount)).toEqual([1, 1, 0]);
});
