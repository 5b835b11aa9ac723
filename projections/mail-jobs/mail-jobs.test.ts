import { describe, expect, test } from '@jest/globals';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { derivedId } from '#event-sourcing/identifiers.ts';
import { type MailJobDocument, mailJobs } from './mail-jobs.ts';

const jobId = derivedId('test', 'job');
const tenantId = derivedId('test', 'tenant');
const job = { jobId, kind: 'onboarding', tenantId, serial: 1 };

/** Folds events that are recorded a minute apart. */
function foldEvents(...events: readonly (readonly [type: string, data: object])[]): MailJobDocument | undefined {
  return events.reduce<MailJobDocument | undefined>((document, [type, data], minute) => {
    const metadata = { recordedAt: `2026-03-01T10:0${minute}:00.000Z` };
    return mailJobs.fold(document, { type, data, metadata, stream: `mailJob-${jobId}` } as unknown as RecordedEvent);
  }, undefined);
}

const mailRequested = (reason: string) => ['MailRequested', { ...job, reason }] as const;
const mailAttempted = (attempt: number) => ['MailAttempted', { jobId, attempt }] as const;
const mailRefused = (attempt: number, retryAt: string | null) =>
  ['MailRefused', { jobId, attempt, reason: 'recipient_refused', smtpCode: 451, retryAt }] as const;
const MAIL_PARKED = ['MailParked', { jobId, attempt: 1, reason: 'refused' }] as const;

const NOT_REQUESTED = { requested_at: null, requests: 0 };
const NOT_DUE = { ...NOT_REQUESTED, due_at: null, next_attempt_at: null };

describe('the projection of mail jobs', () => {
  test('makes a requested job due when a mailer should have started it', () => {
    const first = foldEvents(mailRequested('event'));
    expect(first).toEqual({
      job_id: jobId,
      kind: 'onboarding',
      tenant_id: tenantId,
      status: 'requested',
      reason: null,
      attempts: 0,
      created_at: '2026-03-01T10:00:00.000Z',
      last_attempt_at: null,
      requested_at: '2026-03-01T10:00:00.000Z',
      requests: 1,
      due_at: '2026-03-01T10:01:00.000Z',
      next_attempt_at: null,
      last_error: null,
      smtp_code: null,
    });
    expect(first && mailJobs.indexes(first)).toEqual({ status: 'requested', due: '2026-03-01T10:01:00.000Z' });
    expect(foldEvents(mailRequested('event'), mailRequested('not_taken_up'))).toMatchObject({
      requested_at: '2026-03-01T10:00:00.000Z',
      requests: 2,
      due_at: '2026-03-01T10:03:00.000Z',
    });
  });

  test('makes a refused job wait for its next attempt, and then requests it again', () => {
    const waiting = [mailRequested('event'), mailAttempted(1), mailRefused(1, '2026-03-01T10:05:00.000Z')] as const;
    expect(foldEvents(...waiting)).toMatchObject({
      ...NOT_REQUESTED,
      status: 'waiting',
      attempts: 1,
      last_attempt_at: '2026-03-01T10:01:00.000Z',
      due_at: '2026-03-01T10:05:00.000Z',
      next_attempt_at: '2026-03-01T10:05:00.000Z',
      last_error: 'recipient_refused',
      smtp_code: 451,
    });
    const again = { status: 'requested', requests: 1, next_attempt_at: null, last_error: 'recipient_refused' };
    expect(foldEvents(...waiting, mailRequested('retry'))).toMatchObject(again);
  });

  test('clears the error of a parked mail that is requested again and sent', () => {
    const asks = ['MailRequested', { ...job, reason: 'resend' }] as const;
    const before = [mailRequested('event'), mailAttempted(1), mailRefused(1, null), MAIL_PARKED] as const;
    expect(foldEvents(...before)).toMatchObject({ status: 'parked', reason: 'refused', ...NOT_DUE });
    expect(foldEvents(...before, asks)).toMatchObject({ status: 'requested', reason: null, requests: 1 });
    const sent = foldEvents(...before, asks, mailAttempted(2), ['MailSent', { jobId, attempt: 2 }]);
    expect(sent).toMatchObject({
      status: 'sent',
      attempts: 2,
      ...NOT_DUE,
      reason: null,
      last_error: null,
      smtp_code: null,
    });
  });

  test('makes a job wait again when the refusal of a parked attempt arrives late', () => {
    const unknown = ['MailParked', { jobId, attempt: 1, reason: 'outcome_unknown' }] as const;
    const late = foldEvents(
      mailRequested('event'),
      mailAttempted(1),
      unknown,
      mailRefused(1, '2026-03-01T10:05:00.000Z'),
    );
    expect(late).toMatchObject({ status: 'waiting', reason: null, due_at: '2026-03-01T10:05:00.000Z' });
  });

  test('shows why a job was dropped, attempted or not', () => {
    const dropped = ['MailDropped', { jobId, reason: 'replaced' }] as const;
    const over = { status: 'dropped', reason: 'replaced', ...NOT_DUE };
    const never = { attempts: 0, last_attempt_at: null, last_error: null, smtp_code: null };
    expect(foldEvents(mailRequested('event'), dropped)).toMatchObject({ ...over, ...never });
    const refused = [mailRequested('event'), mailAttempted(1), mailRefused(1, '2026-03-01T10:05:00.000Z')] as const;
    expect(foldEvents(...refused, dropped)).toMatchObject({ ...over, attempts: 1, last_error: 'recipient_refused' });
  });

  test('makes a job with an attempt in progress due when the attempt can no longer have a result', () => {
    const unknown = { reason: null, next_attempt_at: null, last_error: null, smtp_code: null };
    const due = { ...NOT_REQUESTED, due_at: '2026-03-01T10:02:00.000Z' };
    expect(foldEvents(mailRequested('event'), mailAttempted(1))).toMatchObject({
      status: 'waiting',
      attempts: 1,
      ...unknown,
      ...due,
    });
  });
});
