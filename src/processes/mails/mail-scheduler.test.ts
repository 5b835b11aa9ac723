import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { attemptMail, concludeMail, requestMail } from '#commands/mail/mail-moves.ts';
import { CommandHarness } from '#test/support/command-harness.ts';
import type { MemoryEventStore } from '#test/support/memory-event-store.ts';
import { openTestReadModels, type TestReadModels } from '#test/support/test-read-models.ts';
import { metricValue, type SchedulerHarness, startSchedulerHarness } from '#test/support/scheduler-harness.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { instantAfter } from '#event-sourcing/time.ts';
import { derivedId } from '#event-sourcing/identifiers.ts';
import { type MailJob, mailJobStream } from '#domain/mail-job/mail-job.ts';
import type { ProcessParts } from '../runtime/process.ts';
import { declareMailJobMetrics, mailSchedulerStarter } from './mail-scheduler.ts';

let harness: CommandHarness;
let scheduler: SchedulerHarness;
beforeEach(async () => {
  harness = new CommandHarness();
  scheduler = await startSchedulerHarness(harness);
});
afterEach(async () => await scheduler.stopProjector());

const jobOf = (name: string): MailJob => ({
  jobId: derivedId('test', name),
  kind: 'onboarding',
  tenantId: derivedId('test', 'tenant'),
  serial: 1,
});
const lastOf = async (name: string) => (await harness.events(mailJobStream(jobOf(name).jobId))).at(-1);

/** A scheduler of mails, with its metrics and the number of its queries of `mail_jobs`. */
function startScheduler(changes: Partial<ProcessParts> = {}) {
  const metrics = new Registry();
  let scans = 0;
  const readModels = Object.assign(Object.create(scheduler.readModels) as TestReadModels, {
    scanIndex: async (...given: Parameters<TestReadModels['scanIndex']>) => {
      scans += 1;
      return await scheduler.readModels.scanIndex(...given);
    },
  });
  const running = mailSchedulerStarter(scheduler.parts({ metrics, readModels, ...changes }))();
  return { running, metrics, scans: () => scans };
}

test('requests again or parks each mail that is due, once, and no other mail', async () => {
  for (const name of ['ignored', 'refused', 'hanging', 'sent']) await harness.run(requestMail, jobOf(name));
  for (const name of ['refused', 'hanging', 'sent']) await harness.run(attemptMail, { jobId: jobOf(name).jobId });
  const conclude = async (name: string, outcome: object): Promise<unknown> =>
    await harness.run(concludeMail, { jobId: jobOf(name).jobId, attempt: 1, outcome });
  await conclude('refused', { status: 'refused', reason: 'timeout', smtpCode: null, retryAfterMs: 60_000 });
  await conclude('sent', { status: 'sent' });
  await scheduler.waitUntilCaughtUp();
  harness.now = instantAfter(harness.now, 59_999);
  const { running, metrics, scans } = startScheduler();
  await waitUntil(() => scans() > 2);
  expect((await lastOf('ignored'))?.revision).toBe(0);

  await harness.run(requestMail, jobOf('fresh'));
  harness.now = instantAfter(harness.now, 1);
  await waitUntil(async () => (await lastOf('hanging'))?.type === 'MailParked');
  await waitUntil(async () => (await lastOf('refused'))?.type === 'MailRequested');
  await waitUntil(async () => (await lastOf('ignored'))?.revision === 1);
  await scheduler.waitUntilCaughtUp();
  const before = scans();
  await waitUntil(() => scans() > before + 2);
  await running.stop();
  expect((await lastOf('refused'))?.data).toMatchObject({ reason: 'retry' });
  expect(await lastOf('ignored')).toMatchObject({ revision: 1, data: { reason: 'not_taken_up' } });
  expect(await lastOf('hanging')).toMatchObject({ revision: 2, data: { reason: 'outcome_unknown' } });
  expect((await lastOf('sent'))?.type).toBe('MailSent');
  expect((await lastOf('fresh'))?.revision).toBe(0);
  for (const decision of ['retry', 'not_taken_up', 'parked'])
    expect(await metricValue(metrics, 'surety_mail_reviews_total', { decision })).toBe(1);
});

test('decides by the stream when the read models are behind, and requests a mail again once', async () => {
  await harness.run(requestMail, jobOf('ignored'));
  await scheduler.waitUntilCaughtUp();
  await scheduler.stopProjector();
  harness.now = instantAfter(harness.now, 60_000);
  const { running, scans } = startScheduler();
  await waitUntil(() => scans() > 3);
  await running.stop();
  expect((await lastOf('ignored'))?.revision).toBe(1);
  await scheduler.startProjector();
});

test('logs a mail that cannot be reviewed once per process', async () => {
  await harness.run(requestMail, jobOf('faulty'));
  await scheduler.waitUntilCaughtUp();
  harness.now = instantAfter(harness.now, 60_000);
  let attempts = 0;
  const eventStore = Object.assign(Object.create(harness.eventStore) as MemoryEventStore, {
    readStream: async (stream: string) => await harness.eventStore.readStream(stream),
    append: async () => {
      attempts += 1;
      return await Promise.reject(new TypeError('cannot be reviewed'));
    },
  });
  const { running } = startScheduler({ commandPorts: { ...harness.ports, eventStore } });
  await waitUntil(() => attempts > 2);
  await running.stop();
  expect(scheduler.logged.filter((line) => line.includes(jobOf('faulty').jobId))).toHaveLength(1);
});

test('shows how many mails are open by status, and how long the oldest request has waited', async () => {
  await harness.run(requestMail, jobOf('older'));
  harness.now = instantAfter(harness.now, 90_000);
  await harness.run(requestMail, jobOf('newer'));
  await scheduler.waitUntilCaughtUp();
  const metrics = new Registry();
  declareMailJobMetrics(scheduler.parts({ metrics }));
  const text = await metrics.metrics();
  expect(text).toMatch(/^surety_mail_jobs\{status="requested"\} 2$/m);
  expect(text).toMatch(/^surety_mail_jobs\{status="parked"\} 0$/m);
  expect(text).toMatch(/^surety_mail_jobs_oldest_requested_seconds 90$/m);
});

test('shows the other metrics when the read models do not answer', async () => {
  const metrics = new Registry();
  const readModels = Object.assign(openTestReadModels(), { find: async () => await new Promise<never>(() => {}) });
  declareMailJobMetrics(scheduler.parts({ metrics, readModels }));
  const text = await metrics.metrics();
  expect(text).toMatch(/^surety_mail_reviews_total\{decision="retry"\} 0$/m);
  expect(text).not.toMatch(/^surety_mail_jobs/m);
});
