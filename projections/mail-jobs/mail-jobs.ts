import type { Moment } from '../../src/event-sourcing/time.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import {
  type DropReason,
  dueAt,
  type MailJob,
  type MailJobEvent,
  type MailKind,
  type MailRefusalReason,
  type RequestReason,
} from '../../src/domain/mail-job/mail-job.ts';
import { defineProjection, requireDocument } from '../projection.ts';

/** The resource of a mail job: ids, times and reasons, never an address. */
export interface MailJobDocument {
  readonly job_id: string;
  readonly kind: MailKind;
  /** Tenant id of the merchant that receives it. */
  readonly tenant_id: string;
  /** `requested`: no mailer has started an attempt. `waiting`: an attempt is in progress, or the next one is scheduled. */
  readonly status: 'requested' | 'waiting' | 'sent' | 'parked' | 'dropped';
  /** Why it is parked or dropped; null otherwise. */
  readonly reason: 'refused' | 'outcome_unknown' | DropReason | null;
  readonly attempts: number;
  readonly created_at: Moment;
  readonly last_attempt_at: Moment | null;
  /** Time of the request; null once a mailer has started an attempt. */
  readonly requested_at: Moment | null;
  /** Requests since the last attempt. */
  readonly requests: number;
  /** When the scheduler requests it again or parks it; null: it does neither. */
  readonly due_at: Moment | null;
  /** Time of the next attempt; null while it is requested or in progress, and when it is not retried. */
  readonly next_attempt_at: Moment | null;
  /** Why the last refused attempt failed. */
  readonly last_error: MailRefusalReason | null;
  /** Reply code of the mail server to that attempt. */
  readonly smtp_code: number | null;
}

/** Mail jobs by job id. The scheduler finds due jobs by the index `due`. */
export const mailJobs = defineProjection<MailJobDocument>({
  name: 'mail_jobs',
  version: 1,
  categories: ['mailJob'],
  indexNames: ['status', 'due'],
  fold: (document, event) => fold(document, event as RecordedEvent<MailJobEvent>),
  indexes: ({ status, due_at: due }) => ({ status, due }),
});

const NOT_DUE = { requested_at: null, requests: 0, due_at: null, next_attempt_at: null } as const;

function fold(document: MailJobDocument | undefined, event: RecordedEvent<MailJobEvent>): MailJobDocument {
  const at = event.metadata.recordedAt;
  switch (event.type) {
    case 'MailRequested':
      return applyRequest(document ?? initial(event.data, at), at, event.data.reason);
    case 'MailAttempted':
      return {
        ...requireDocument(document, event),
        ...NOT_DUE,
        status: 'waiting',
        reason: null,
        attempts: event.data.attempt,
        last_attempt_at: at,
        due_at: dueAt({ status: 'attempting', since: at }) ?? null,
      };
    case 'MailDropped':
      return { ...requireDocument(document, event), ...NOT_DUE, status: 'dropped', reason: event.data.reason };
    case 'MailSent': {
      const sent = { status: 'sent', reason: null, last_error: null, smtp_code: null } as const;
      return { ...requireDocument(document, event), ...NOT_DUE, ...sent };
    }
    case 'MailRefused': {
      const { retryAt, reason, smtpCode } = event.data;
      const refused = { ...requireDocument(document, event), last_error: reason, smtp_code: smtpCode };
      if (retryAt === null) return refused;
      return { ...refused, ...NOT_DUE, status: 'waiting', reason: null, due_at: retryAt, next_attempt_at: retryAt };
    }
    case 'MailParked':
      return { ...requireDocument(document, event), ...NOT_DUE, status: 'parked', reason: event.data.reason };
    default:
      return event satisfies never;
  }
}

function applyRequest(document: MailJobDocument, at: Moment, reason: RequestReason): MailJobDocument {
  const isRepeated = reason === 'not_taken_up' && document.requests > 0;
  const times = isRepeated ? document.requests + 1 : 1;
  return {
    ...document,
    status: 'requested',
    reason: null,
    requested_at: isRepeated ? document.requested_at : at,
    requests: times,
    due_at: dueAt({ status: 'requested', last: at, times }) ?? null,
    next_attempt_at: null,
  };
}

function initial({ jobId, kind, tenantId }: MailJob, at: Moment): MailJobDocument {
  return {
    job_id: jobId,
    kind,
    tenant_id: tenantId,
    status: 'requested',
    reason: null,
    attempts: 0,
    created_at: at,
    last_attempt_at: null,
    ...NOT_DUE,
    last_error: null,
    smtp_code: null,
  };
}
