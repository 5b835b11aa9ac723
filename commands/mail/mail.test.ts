import { beforeEach, describe, expect, test } from '@jest/globals';
import { momentAfter } from '../../src/event-sourcing/time.ts';
import { derivedId } from '../../src/event-sourcing/identifiers.ts';
import { type MailJob, mailJobStream } from '../../src/domain/mail-job/mail-job.ts';
import { CommandHarness } from '../../test/support/command-harness.ts';
import { StreamCache } from '../../src/command-handling/stream-cache.ts';
import { attemptMail, concludeMail, dropMail, MailNotDue, requestMail, reviewMail } from './mail-moves.ts';
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
/** The data of the newest event. */
const last = async () => (await h.events(mailJobStream(JOB.jobId))).at(-1)?.data;

/** Moves the clock. */
const wait = (milliseconds: number): void => {
  h.now = momentAfter(h.now, milliseconds);
};

test('requests a mail once for concurrent requests', async () => {
  h = new CommandHarness();
  const ends = await Promise.allSettled([request(), request(), request()]);
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const end of ends) if (end.status === 'rejected') expect(end.reason).toBeInstanceOf(MailNotDue);
  expect(await types()).toEqual(['MailRequested']);
  expect(await last()).toEqual({ effectiveAt: '2026-03-01', ...JOB, reason: 'event' });
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

  test('is rejected after a refusal until the mail is requested again', async () => {
    expect((await attempt()).result).toEqual({ attempt: 1, attempts_in_row: 1, recorded_at: h.now });
    await conclude(1, refused(60_000));
    expect(await last()).toMatchObject({ retryAt: '2026-03-01T10:01:00.000Z' });
    wait(60_000);
    await expect(attempt()).rejects.toThrow(MailNotDue);
    await review();
    expect((await attempt()).result).toEqual({ attempt: 2, attempts_in_row: 2, recorded_at: h.now });
  });

  test('succeeds for the same mailer after another process requested the mail again', async () => {
    await attempt();
    await conclude(1, refused(60_000));
    wait(60_000);
    await h.run(reviewMail, { jobId: JOB.jobId }, { ...BY_SURETY, streamCache: new StreamCache() });
    expect((await attempt()).result).toEqual({ attempt: 2, attempts_in_row: 2, recorded_at: h.now });
  });

  test.each([
    [{ status: 'sent' }, ['MailSent']],
    [{ status: 'unknown' }, ['MailParked']],
    [refused(null), ['MailRefused', 'MailParked']],
  ])('is final after %j: not attempted, concluded, reviewed or dropped again', async (outcome, written) => {
    await attempt();
    await conclude(1, outcome);
    expect((await types()).slice(2)).toEqual(written);
    wait(24 * 60 * 60_000);
    for (const step of [request, attempt, review]) await expect(step()).rejects.toThrow(MailNotDue);
    await expect(conclude(1, { status: 'unknown' })).rejects.toThrow(MailNotDue);
    await expect(drop()).rejects.toThrow(MailNotDue);
    expect(await types()).toHaveLength(2 + written.length);
  });

  test('has its result rejected after a later attempt', async () => {
    await attempt();
    await conclude(1, { status: 'unknown' });
    await h.run(resendMail, { job_id: JOB.jobId });
    expect((await attempt()).result).toMatchObject({ attempt: 2, attempts_in_row: 1 });
    await expect(conclude(1, { status: 'sent' })).rejects.toThrow(MailNotDue);
  });
});

describe('a review', () => {
  test('requests a mail without attempt again, after pauses that double up to 6 hours', async () => {
    const pauses = [1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360].map((minutes) => minutes * 60_000);
    for (const pauseMs of pauses) {
      wait(pauseMs - 1);
      await expect(review()).rejects.toThrow(MailNotDue);
      wait(1);
      expect((await review()).result).toEqual({ decision: 'not_taken_up' });
    }
    expect(await last()).toMatchObject({ ...JOB, reason: 'not_taken_up' });
    expect((await attempt()).result).toMatchObject({ attempt: 1, attempts_in_row: 1 });
    await conclude(1, refused(60_000));
    wait(60_000);
    await review();
    wait(60_000);
    expect((await review()).result).toEqual({ decision: 'not_taken_up' });
  });

  test('requests a refused mail again after its pause, not earlier', async () => {
    await attempt();
    await conclude(1, refused(300_000));
    wait(299_999);
    await expect(review()).rejects.toThrow(MailNotDue);
    wait(1);
    expect((await review()).result).toEqual({ decision: 'retry' });
    expect(await last()).toMatchObject({ ...JOB, reason: 'retry' });
  });

  test('requests a mail once for concurrent schedulers', async () => {
    wait(60_000);
    const ends = await Promise.allSettled([review(), review(), review()]);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await types()).toEqual(['MailRequested', 'MailRequested']);
  });

  test.each([
    [{ status: 'sent' }, ['MailSent']],
    [refused(60_000), ['MailRefused']],
    [refused(null), ['MailRefused', 'MailParked']],
  ])('parks a mail without a result after 60 s; %j is still accepted later', async (outcome, written) => {
    await attempt();
    wait(59_999);
    await expect(review()).rejects.toThrow(MailNotDue);
    wait(1);
    expect((await review()).result).toEqual({ decision: 'parked' });
    expect(await last()).toMatchObject({ reason: 'outcome_unknown' });
    await conclude(1, outcome);
    expect((await types()).slice(3)).toEqual(written);
  });
});

const drop = async () => await h.run(dropMail, { jobId: JOB.jobId, reason: 'link_expired' });

describe('a mail that is no longer needed', () => {
  test('can be dropped while it is requested', async () => {
    await drop();
    expect(await last()).toEqual({ effectiveAt: '2026-03-01', jobId: JOB.jobId, reason: 'link_expired' });
    for (const step of [request, attempt, drop]) await expect(step()).rejects.toThrow(MailNotDue);
  });

  test('cannot be dropped during an attempt', async () => {
    await attempt();
    await expect(drop()).rejects.toThrow(MailNotDue);
  });
});

describe('ResendMail', () => {
  test('rejects a mail that is unknown or not parked', async () => {
    const unknown = derivedId('test', 'unknown');
    expect((await h.expectRefusal(resendMail, { job_id: unknown })).code).toBe('mail_job_not_found');
    const early = await h.expectRefusal(resendMail, { job_id: JOB.jobId });
    expect(early.code).toBe('mail_job_not_parked');
    await attempt();
    await conclude(1, { status: 'sent' });
    expect((await h.expectRefusal(resendMail, { job_id: JOB.jobId })).code).toBe('mail_job_not_parked');
  });

  test('requests a parked mail once for two requests', async () => {
    await attempt();
    await conclude(1, { status: 'unknown' });
    await h.run(resendMail, { job_id: JOB.jobId });
    expect((await h.expectRefusal(resendMail, { job_id: JOB.jobId })).code).toBe('mail_job_not_parked');
    expect(await last()).toMatchObject({ ...JOB, reason: 'resend' });
  });
});

test('writes no address and the merchant in every event of a mail', async () => {
  await attempt();
  await conclude(1, refused(null));
  const events = await h.events(mailJobStream(JOB.jobId));
  for (const { metadata } of events) expect(metadata.merchant).toBe(JOB.tenantId);
  expect(JSON.stringify(events.map(({ data }) => data))).not.toContain('@');
});
