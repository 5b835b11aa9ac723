import { describe, expect, test } from '@jest/globals';
import type { Recorded } from '../../src/domain/event.ts';
import { derivedId } from '../../src/domain/identifiers.ts';
import { type MailJobDocument, mailJobs } from './mail-jobs.ts';

const jobId = derivedId('test', 'job');
const tenantId = derivedId('test', 'tenant');
const job = { jobId, kind: 'onboarding', tenantId, serial: 1 };

/** What the fold makes of these events, each a minute after the one before. */
function folded(...events: readonly (readonly [type: string, data: object])[]): MailJobDocument | undefined {
  return events.reduce<MailJobDocument | undefined>((document, [type, data], minute) => {
    const metadata = { recordedAt: `2026-03-01T10:0${minute}:00.000Z` };
    return mailJobs.fold(document, { type, data, metadata, stream: `mailJob-${jobId}` } as unknown as Recorded);
  }, undefined);
}

const attempted = (attempt: number) => ['MailAttempted.v1', { ...job, attempt }] as const;
const refused = (attempt: number, retryAt: string | null) =>
  ['MailRefused.v1', { jobId, attempt, reason: 'recipient_refused', smtpCode: 451, retryAt }] as const;

describe('the projection of mail jobs', () => {
  test('given a refusal, then it waits and tells until when and why', () => {
    expect(folded(attempted(1), refused(1, '2026-03-01T10:05:00.000Z'))).toEqual({
      job_id: jobId,
      kind: 'onboarding',
      tenant_id: tenantId,
      status: 'waiting',
      reason: null,
      attempts: 1,
      created_at: '2026-03-01T10:00:00.000Z',
      last_attempt_at: '2026-03-01T10:00:00.000Z',
      next_attempt_at: '2026-03-01T10:05:00.000Z',
      last_error: 'recipient_refused',
      smtp_code: 451,
    });
  });

  test('given a parked mail that was asked for again and sent, then it is sent without an error', () => {
    const parked = [
      attempted(1),
      refused(1, null),
      ['MailParked.v1', { jobId, attempt: 1, reason: 'refused' }],
    ] as const;
    expect(folded(...parked)).toMatchObject({ status: 'parked', reason: 'refused', next_attempt_at: null });
    const asked = [...parked, ['MailResendRequested.v1', job]] as const;
    const next_attempt_at = '2026-03-01T10:03:00.000Z';
    expect(folded(...asked)).toMatchObject({ status: 'waiting', reason: null, next_attempt_at });
    const sent = folded(...asked, attempted(2), ['MailSent.v1', { jobId, attempt: 2 }]);
    const nothing = { reason: null, next_attempt_at: null, last_error: null, smtp_code: null };
    expect(sent).toMatchObject({ status: 'sent', attempts: 2, ...nothing });
  });

  test('given a dropped mail, then it tells why, attempted before or not', () => {
    const dropped = ['MailDropped.v1', { ...job, reason: 'replaced' }] as const;
    const over = { status: 'dropped', reason: 'replaced', next_attempt_at: null };
    const never = { attempts: 0, last_attempt_at: null, last_error: null, smtp_code: null };
    expect(folded(dropped)).toMatchObject({ ...over, ...never });
    const refusedBefore = folded(attempted(1), refused(1, '2026-03-01T10:05:00.000Z'), dropped);
    expect(refusedBefore).toMatchObject({ ...over, attempts: 1, last_error: 'recipient_refused' });
  });

  test('given an attempt under way, then it waits, and nothing is known of its end', () => {
    const unknown = { reason: null, next_attempt_at: null, last_error: null, smtp_code: null };
    expect(folded(attempted(1))).toMatchObject({ status: 'waiting', attempts: 1, ...unknown });
  });
});
