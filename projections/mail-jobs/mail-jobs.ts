import { idOf } from '../../src/domain/aggregate.ts';
import type { Moment } from '../../src/domain/dates.ts';
import type { Recorded } from '../../src/domain/event.ts';
import type { DropReason, MailJobEvent, MailKind, MailRefusalReason } from '../../src/domain/mail-job.ts';
import { defineProjection, existing } from '../projection.ts';

/** What became of a mail, as operators see it: ids, times and reasons, never an address. */
export interface MailJobDocument {
  readonly job_id: string;
  readonly kind: MailKind;
  /** Tenant id of the merchant that it goes to. */
  readonly tenant_id: string;
  readonly status: 'waiting' | 'sent' | 'parked' | 'dropped';
  /** Why it is parked or dropped; null otherwise. */
  readonly reason: 'refused' | 'outcome_unknown' | DropReason | null;
  readonly attempts: number;
  readonly created_at: Moment;
  readonly last_attempt_at: Moment | null;
  /** It is tried again then; null while it is under way, or when it is not tried again by itself. */
  readonly next_attempt_at: Moment | null;
  /** What the newest refused attempt failed at. */
  readonly last_error: MailRefusalReason | null;
  /** What the mail server replied to it. */
  readonly smtp_code: number | null;
}

/** The mail jobs that were ever attempted or dropped, by job id. */
export const mailJobs = defineProjection<MailJobDocument>({
  name: 'mail_jobs',
  version: 1,
  categories: ['mailJob'],
  indexNames: ['status'],
  key: ({ stream }) => idOf(stream),
  fold: (document, event) => fold(document, event as Recorded<MailJobEvent>),
  indexes: ({ status }) => ({ status }),
});

function fold(document: MailJobDocument | undefined, event: Recorded<MailJobEvent>): MailJobDocument {
  const at = event.metadata.recordedAt;
  switch (event.type) {
    case 'MailAttempted.v1':
      return {
        ...(document ?? begun(event.data, at)),
        status: 'waiting',
        reason: null,
        attempts: event.data.attempt,
        last_attempt_at: at,
        next_attempt_at: null,
      };
    case 'MailDropped.v1': {
      const dropped = { status: 'dropped', reason: event.data.reason, next_attempt_at: null } as const;
      return { ...(document ?? begun(event.data, at)), ...dropped };
    }
    case 'MailSent.v1':
      return { ...existing(document, event), status: 'sent', reason: null, last_error: null, smtp_code: null };
    case 'MailRefused.v1': {
      const { retryAt, reason, smtpCode } = event.data;
      return { ...existing(document, event), next_attempt_at: retryAt, last_error: reason, smtp_code: smtpCode };
    }
    case 'MailParked.v1':
      return { ...existing(document, event), status: 'parked', reason: event.data.reason };
    case 'MailResendRequested.v1':
      return { ...existing(document, event), status: 'waiting', reason: null, next_attempt_at: at };
    default:
      return event satisfies never;
  }
}

function begun(
  { jobId, kind, tenantId }: { readonly jobId: string; readonly kind: MailKind; readonly tenantId: string },
  at: Moment,
): MailJobDocument {
  return {
    job_id: jobId,
    kind,
    tenant_id: tenantId,
    status: 'waiting',
    reason: null,
    attempts: 0,
    created_at: at,
    last_attempt_at: null,
    next_attempt_at: null,
    last_error: null,
    smtp_code: null,
  };
}
