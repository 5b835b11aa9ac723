import { idOf } from '../../src/event-sourcing/aggregate.ts';
import type { Moment } from '../../src/event-sourcing/time.ts';
import type { Recorded } from '../../src/event-sourcing/event.ts';
import {
  type DropReason,
  dueAt,
  type MailJob,
  type MailJobEvent,
  type MailKind,
  type MailRefusalReason,
  type RequestReason,
} from '../../src/domain/mail-job/mail-job.ts';
import { defineProjection, existing } from '../projection.ts';

/** A mail as operators see it: ids, times and reasons, never an address. */
export interface MailJobDocument {
  readonly job_id: string;
  readonly kind: MailKind;
  /** Tenant id of the merchant that it goes to. */
  readonly tenant_id: string;
  /** `requested`: no mailer has started an attempt. `waiting`: an attempt is under way, or is tried again later. */
  readonly status: 'requested' | 'waiting' | 'sent' | 'parked' | 'dropped';
  /** Why it is parked or dropped; null otherwise. */
  readonly reason: 'refused' | 'outcome_unknown' | DropReason | null;
  readonly attempts: number;
  readonly created_at: Moment;
  readonly last_attempt_at: Moment | null;
  /** Since when it is requested, and how often in a row; null and 0 once a mailer took it up. */
  readonly requested_at: Moment | null;
  readonly requests: number;
  /** When the scheduler looks at it: to request it again, or to park it; null: not by itself. */
  readonly due_at: Moment | null;
  /** It is tried again then; null while it is requested or under way, or when it is not tried again by itself. */
  readonly next_attempt_at: Moment | null;
  /** What the newest refused attempt failed at. */
  readonly last_error: MailRefusalReason | null;
  /** What the mail server replied to it. */
  readonly smtp_code: number | null;
}

/** The mail jobs by job id. The scheduler finds by `due` what it has to look at. */
export const mailJobs = defineProjection<MailJobDocument>({
  name: 'mail_jobs',
  version: 2,
  categories: ['mailJob'],
  indexNames: ['status', 'due'],
  key: ({ stream }) => idOf(stream),
  fold: (document, event) => fold(document, event as Recorded<MailJobEvent>),
  indexes: ({ status, due_at: due }) => ({ status, due }),
});

/** Neither requested nor due any more. */
const NOT_DUE = { requested_at: null, requests: 0, due_at: null, next_attempt_at: null } as const;

function fold(document: MailJobDocument | undefined, event: Recorded<MailJobEvent>): MailJobDocument {
  const at = event.metadata.recordedAt;
  switch (event.type) {
    case 'MailRequested':
      return applyRequest(document ?? initial(event.data, at), at, event.data.reason);
    case 'MailAttempted':
      return {
        ...(document ?? initial(event.data, at)),
        ...NOT_DUE,
        status: 'waiting',
        reason: null,
        attempts: event.data.attempt,
        last_attempt_at: at,
        due_at: dueAt({ is: 'attempting', since: at }) ?? null,
      };
    case 'MailDropped':
      return {
        ...(document ?? initial(event.data, at)),
        ...NOT_DUE,
        status: 'dropped',
        reason: event.data.reason,
      };
    case 'MailSent': {
      const sent = { status: 'sent', reason: null, last_error: null, smtp_code: null } as const;
      return { ...existing(document, event), ...NOT_DUE, ...sent };
    }
    case 'MailRefused': {
      const { retryAt, reason, smtpCode } = event.data;
      const refused = { ...existing(document, event), last_error: reason, smtp_code: smtpCode };
      if (retryAt === null) return refused;
      return { ...refused, ...NOT_DUE, status: 'waiting', reason: null, due_at: retryAt, next_attempt_at: retryAt };
    }
    case 'MailParked':
      return { ...existing(document, event), ...NOT_DUE, status: 'parked', reason: event.data.reason };
    case 'MailResendRequested':
      return applyRequest(existing(document, event), at, 'resend');
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
    due_at: dueAt({ is: 'requested', last: at, times }) ?? null,
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
