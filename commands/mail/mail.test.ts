import { beforeEach, describe, expect, test } from '@jest/globals';
import { derivedId } from '../../src/domain/identifiers.ts';
import { type MailJob, mailJobStream } from '../../src/domain/mail-job.ts';
import { CommandHarness } from '../../test/support/command-harness.ts';
import { attemptMail } from './attempt-mail.ts';
import { concludeMail } from './conclude-mail.ts';
import { dropMail } from './drop-mail.ts';
import { MailNotDue } from './not-due.ts';
import { resendMail } from './resend-mail.ts';

const JOB: MailJob = {
  jobId: derivedId('test', 'job'),
  kind: 'verification',
  tenantId: derivedId('test', 'tenant'),
  serial: 1,
};

let h: CommandHarness;
beforeEach(() => {
  h = new CommandHarness();
});

const attempt = async () => await h.run(attemptMail, JOB, { actor: { role: 'system', keyId: null } });
const conclude = async (number: number, outcome: object) =>
  await h.run(concludeMail, { jobId: JOB.jobId, attempt: number, outcome });
const refused = (retryAfterMs: number | null) => ({
  is: 'refused',
  reason: 'recipient_refused',
  smtpCode: 550,
  retryAfterMs,
});

async function types(): Promise<string[]> {
  return (await h.events(mailJobStream(JOB.jobId))).map(({ type }) => type);
}

describe('an attempt', () => {
  test('given two workers with one job, when both attempt it at once, then one gets through', async () => {
    const ends = await Promise.allSettled([attempt(), attempt(), attempt()]);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const end of ends) if (end.status === 'rejected') expect(end.reason).toBeInstanceOf(MailNotDue);
    expect(await types()).toEqual(['MailAttempted.v1']);
  });

  test('given a refusal, when it is attempted before and after its time, then only after', async () => {
    expect((await attempt()).result).toEqual({ attempt: 1, attempts_in_row: 1 });
    await conclude(1, refused(60_000));
    await expect(attempt()).rejects.toThrow(MailNotDue);
    h.now = '2026-03-01T10:01:00.000Z';
    expect((await attempt()).result).toEqual({ attempt: 2, attempts_in_row: 2 });
    expect(await h.data(mailJobStream(JOB.jobId), 1)).toMatchObject({ retryAt: '2026-03-01T10:01:00.000Z' });
  });

  test.each([
    [{ is: 'sent' }, ['MailSent.v1']],
    [{ is: 'unknown' }, ['MailParked.v1']],
    [refused(null), ['MailRefused.v1', 'MailParked.v1']],
  ])('given %j, then it is over: neither attempted, concluded nor dropped again', async (outcome, written) => {
    await attempt();
    await conclude(1, outcome);
    expect((await types()).slice(1)).toEqual(written);
    await expect(attempt()).rejects.toThrow(MailNotDue);
    await expect(conclude(1, { is: 'unknown' })).rejects.toThrow(MailNotDue);
    await expect(h.run(dropMail, { job: JOB, reason: 'replaced' })).rejects.toThrow(MailNotDue);
    expect(await types()).toHaveLength(1 + written.length);
  });

  test('given an attempt without an end, when 60 s have passed, then it can be given up, not earlier', async () => {
    await attempt();
    h.now = '2026-03-01T10:00:59.999Z';
    await expect(conclude(1, { is: 'abandoned' })).rejects.toThrow(MailNotDue);
    h.now = '2026-03-01T10:01:00.000Z';
    await conclude(1, { is: 'abandoned' });
    expect(await h.data(mailJobStream(JOB.jobId), 1)).toMatchObject({ reason: 'outcome_unknown' });
    await conclude(1, { is: 'sent' });
    expect(await types()).toEqual(['MailAttempted.v1', 'MailParked.v1', 'MailSent.v1']);
  });

  test('given another attempt meanwhile, when the end of an older one is told, then it is passed over', async () => {
    await attempt();
    await conclude(1, { is: 'unknown' });
    await h.run(resendMail, { job_id: JOB.jobId });
    expect((await attempt()).result).toEqual({ attempt: 2, attempts_in_row: 1 });
    await expect(conclude(1, { is: 'sent' })).rejects.toThrow(MailNotDue);
  });
});

describe('a mail that nobody needs any more', () => {
  const drop = async () => await h.run(dropMail, { job: JOB, reason: 'link_expired' });

  test('given that it was never attempted, waits or was asked for again, when it is dropped, then it is over', async () => {
    await drop();
    expect(await h.data(mailJobStream(JOB.jobId), 0)).toEqual({
      effectiveAt: '2026-03-01',
      ...JOB,
      reason: 'link_expired',
    });
    await expect(attempt()).rejects.toThrow(MailNotDue);
    await expect(drop()).rejects.toThrow(MailNotDue);
    for (const outcome of [refused(60_000), { is: 'unknown' }]) {
      h = new CommandHarness();
      await attempt();
      await conclude(1, outcome);
      if (outcome.is === 'unknown') await h.run(resendMail, { job_id: JOB.jobId });
      await drop();
      expect((await types()).at(-1)).toBe('MailDropped.v1');
    }
  });

  test('given that it is under way, when it is to be dropped, then it is passed over', async () => {
    await attempt();
    await expect(drop()).rejects.toThrow(MailNotDue);
    expect(await types()).toEqual(['MailAttempted.v1']);
  });
});

describe('ResendMail', () => {
  test('given a mail that is not parked or unknown, then it is refused', async () => {
    expect((await h.refusal(resendMail, { job_id: JOB.jobId })).code).toBe('mail_job_not_found');
    await attempt();
    const early = await h.refusal(resendMail, { job_id: JOB.jobId });
    expect([early.status, early.code]).toEqual([409, 'mail_job_not_parked']);
    await conclude(1, { is: 'sent' });
    expect((await h.refusal(resendMail, { job_id: JOB.jobId })).code).toBe('mail_job_not_parked');
  });

  test('given a parked mail, when it is asked for twice, then once', async () => {
    await attempt();
    await conclude(1, { is: 'unknown' });
    await h.run(resendMail, { job_id: JOB.jobId });
    expect((await h.refusal(resendMail, { job_id: JOB.jobId })).code).toBe('mail_job_not_parked');
    expect(await h.data(mailJobStream(JOB.jobId), 2)).toMatchObject(JOB);
  });
});

test('given the events of a mail, then each names its merchant, and none of them holds an address', async () => {
  await attempt();
  await conclude(1, refused(null));
  const events = await h.events(mailJobStream(JOB.jobId));
  for (const { metadata } of events) expect(metadata.merchant).toBe(JOB.tenantId);
  expect(JSON.stringify(events.map(({ data }) => data))).not.toContain('@');
});
