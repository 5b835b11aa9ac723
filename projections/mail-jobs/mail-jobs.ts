import { z } from 'zod';
import { type Instant, instant } from '#event-sourcing/time.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import {
  DROP_REASONS,
  dueAt,
  MAIL_KINDS,
  type MailJob,
  type MailJobEvent,
  REFUSAL_REASONS,
  type RequestReason,
} from '#domain/mail-job/mail-job.ts';
import { defineProjection, requireDocument } from '../projection.ts';
import type { ResourceOf } from '../schema.ts';

/**
 * `requested`: no mailer has started an attempt. `waiting`: an attempt is in progress, or the next one is scheduled.
 */
export const MAIL_JOB_STATUSES = ['requested', 'waiting', 'sent', 'parked', 'dropped'] as const;

/** A mail job: ids, times and reasons, never an address. */
export const mailJobSchema = z
  .strictObject({
    job_id: z.uuid(),
    kind: z.enum(MAIL_KINDS),
    /** Tenant id of the merchant that receives it. */
    tenant_id: z.uuid(),
    status: z.enum(MAIL_JOB_STATUSES),
    /** Why it is parked or dropped; null otherwise. */
    reason: z.enum(['refused', 'outcome_unknown', ...DROP_REASONS]).nullable(),
    attempts: z.int(),
    created_at: instant,
    last_attempt_at: instant.nullable(),
    /** Time of the request; null once a mailer has started an attempt. */
    requested_at: instant.nullable(),
    /** Requests since the last attempt. */
    requests: z.int(),
    /** When the scheduler requests it again or parks it; null: it does neither. */
    due_at: instant.nullable(),
    /** Time of the next attempt; null while it is requested or in progress, and when it is not retried. */
    next_attempt_at: instant.nullable(),
    /** Why the last refused attempt failed. */
    last_error: z.enum(REFUSAL_REASONS).nullable(),
    /** Reply code of the mail server to that attempt. */
    smtp_code: z.int().nullable(),
  })
  .meta({ id: 'MailJob' });

export type MailJobDocument = ResourceOf<typeof mailJobSchema>;

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

function applyRequest(document: MailJobDocument, at: Instant, reason: RequestReason): MailJobDocument {
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

function initial({ jobId, kind, tenantId }: MailJob, at: Instant): MailJobDocument {
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
