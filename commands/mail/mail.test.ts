import { beforeEach, describe, expect, test } from '@jest/globals';
import { instantAfter } from '#event-sourcing/time.ts';
import { derivedId } from '#event-sourcing/identifiers.ts';
import { type MailJob, mailJobStream } from '#domain/mail-job/mail-job.ts';
import { CommandHarness } from '#test/support/command-harness.ts';
import { StateCache } from '#event-sourcing/executor/state-cache.ts';
import { attemptMail, concludeMail, MailNotDue, requestMail, reviewMail } from './mail-moves.ts';
import { resendMail } from './resend-mail.ts';

const JOB: MailJob = {
  jobId: derivedId('test', 'job'),
  kind: 'verification',
  tenantId: derivedId('test', 'tenant'),
  serial: 1,
};

let h: CommandHarness;
beforeEach(async () => {
  h = new CommandHarness();
  await request();
});

const BY_SURETY = { actor: { role: 'system', keyId: null } } as const;
const request = async () => await h.run(requestMail, JOB, BY_SURETY);
const attempt = async () => await h.run(attemptMail, { jobId: JOB.jobId }, BY_SURETY);
const review = async () => await h.run(reviewMail, { jobId: JOB.jobId }, BY_SURETY);
const conclude = async (number: number, outcome: object) =>
  await h.run(concludeMail, { jobId: JOB.jobId, attempt: number, outcome });
const refused = (retryAfterMs: number | null) => ({
  status: 'refused',
  reason: 'recipient_refused',
  smtpCode: 550,
  retryAfterMs,
});

async function types(): Promise<string[]> {
  return (await h.events(mailJobStream(JOB.jobId))).map(({ type }) => type);
}

test('requests a mail once for concurrent requests', async () => {
  h = new CommandHarness();
  const ends = await Promise.allSettled([request(), request(), request()]);
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const end of ends) if (end.status === 'rejected') expect(end.reason).toBeInstanceOf(MailNotDue);
  expect(await types()).toEqual(['MailRequested']);
});

describe('an attempt', () => {
  test('succeeds for one of several concurrent mailers', async () => {
    const ends = await Promise.allSettled([attempt(), attempt(), attempt()]);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const end of ends) if (end.status === 'rejected') expect(end.reason).toBeInstanceOf(MailNotDue);
    expect(await types()).toEqual(['MailRequested', 'MailAttempted']);
  });

  test('is rejected for a job that was never requested', async () => {
    h = new CommandHarness();
    await expect(attempt()).rejects.toThrow(MailNotDue);
  });

  test('succeeds for the same mailer after another process requested the mail again', async () => {
    expect((await attempt()).result).toEqual({ attempt: 1, attempts_in_row: 1, recorded_at: h.now });
    await conclude(1, refused(60_000));
    h.now = instantAfter(h.now, 60_000);
    const again = await h.run(reviewMail, { jobId: JOB.jobId }, { ...BY_SURETY, stateCache: new StateCache() });
    expect(again.result).toEqual({ decision: 'retry' });
    expect((await attempt()).result).toEqual({ attempt: 2, attempts_in_row: 2, recorded_at: h.now });
  });
});

test('a review parks or requests a mail once for concurrent schedulers', async () => {
  h.now = instantAfter(h.now, 60_000);
  const ends = await Promise.allSettled([review(), review(), review()]);
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await types()).toEqual(['MailRequested', 'MailRequested']);
  await attempt();
  h.now = instantAfter(h.now, 60_000);
  expect((await review()).result).toEqual({ decision: 'parked' });
});

test('ResendMail rejects an unknown mail, and requests a parked one once', async () => {
  const unknown = derivedId('test', 'unknown');
  expect((await h.expectRefusal(resendMail, { job_id: unknown })).code).toBe('mail_job_not_found');
  await attempt();
  await conclude(1, { status: 'unknown' });
  await h.run(resendMail, { job_id: JOB.jobId });
  expect((await h.expectRefusal(resendMail, { job_id: JOB.jobId })).code).toBe('mail_job_not_parked');
});

test('writes no address and the merchant in every event of a mail', async () => {
  await attempt();
  await conclude(1, refused(null));
  const events = await h.events(mailJobStream(JOB.jobId));
  for (const { metadata } of events) expect(metadata.merchant).toBe(JOB.tenantId);
  expect(JSON.stringify(events.map(({ data }) => data))).not.toContain('@');
});
