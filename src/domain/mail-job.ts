import { z } from 'zod';
import type { Aggregate } from './aggregate.ts';
import { type Moment, moment } from './dates.ts';
import { defineEvent, type EventOf, type Recorded } from './event.ts';
import { uuid } from './identifiers.ts';

/** Stream of a mail, by the id of its job. */
export const mailJobStream = (jobId: string): string => `mailJob-${jobId}`;

/** What is mailed: the link by which a merchant verifies its e-mail, or what it may do once it has. */
export const MAIL_KINDS = ['verification', 'onboarding'] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/**
 * A mail to be sent: ids alone, so that neither an address nor a token ever stands in a job or an event of one. Address, name
 * and link are looked up and made when it is sent.
 */
export const mailJobSchema = z.strictObject({
  jobId: uuid,
  kind: z.enum(MAIL_KINDS),
  /** The merchant that it goes to. */
  tenantId: uuid,
  /** Of the verification that it is about. */
  serial: z.int(),
});
export type MailJob = z.infer<typeof mailJobSchema>;

/** Why a mail is not to be sent any more. */
export const DROP_REASONS = ['replaced', 'already_verified', 'link_expired', 'merchant_unknown'] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/** What went wrong while a mail was handed over: a name from a short list, never a text of the other side. */
export const REFUSAL_REASONS = [
  'server_unreachable',
  'connection_lost',
  'tls_failed',
  'login_refused',
  'sender_refused',
  'recipient_refused',
  'message_refused',
  'timeout',
  'not_written',
] as const;
export type MailRefusalReason = (typeof REFUSAL_REASONS)[number];

/** The mail is about to be handed over; written before, so that whoever comes later knows that it may have left. */
export const MailAttempted = defineEvent('MailAttempted.v1', {
  ...mailJobSchema.shape,
  /** From 1, over the whole life of the job. */
  attempt: z.int(),
});
/** The mail was taken: by the mail server, or as a file. */
export const MailSent = defineEvent('MailSent.v1', { jobId: uuid, attempt: z.int() });
/** It is certain that the mail was not taken. */
export const MailRefused = defineEvent('MailRefused.v1', {
  jobId: uuid,
  attempt: z.int(),
  reason: z.enum(REFUSAL_REASONS),
  /** Reply code of the mail server (RFC 5321); null when there was none. */
  smtpCode: z.int().nullable(),
  /** It is tried again then; null: not by itself. */
  retryAt: moment.nullable(),
});
/** The mail is not tried again unless a person says so (design, Outward). */
export const MailParked = defineEvent('MailParked.v1', {
  jobId: uuid,
  attempt: z.int(),
  /** `refused`: it surely did not go out, and was tried often enough. `outcome_unknown`: it may have gone out. */
  reason: z.enum(['refused', 'outcome_unknown']),
});
/** The mail is no longer needed. */
export const MailDropped = defineEvent('MailDropped.v1', { ...mailJobSchema.shape, reason: z.enum(DROP_REASONS) });
/** A person wants a parked mail to be sent once more. */
export const MailResendRequested = defineEvent('MailResendRequested.v1', { ...mailJobSchema.shape });

export type MailJobEvent =
  | EventOf<typeof MailAttempted>
  | EventOf<typeof MailSent>
  | EventOf<typeof MailRefused>
  | EventOf<typeof MailParked>
  | EventOf<typeof MailDropped>
  | EventOf<typeof MailResendRequested>;

/** Where a mail stands. A job without a stream is `due`. */
export type MailSituation =
  | { readonly is: 'due' }
  /** Handed over since `since`, or its worker died. */
  | { readonly is: 'attempting'; readonly since: Moment }
  | { readonly is: 'waiting'; readonly until: Moment }
  | { readonly is: 'sent' | 'dropped' }
  | { readonly is: 'parked'; readonly reason: 'refused' | 'outcome_unknown' };

export interface MailJobState {
  readonly job: MailJob;
  /** Attempts so far. */
  readonly attempts: number;
  /** Attempts since the job was made, or since a person last asked for it: what the next pause depends on. */
  readonly attemptsInRow: number;
  readonly situation: MailSituation;
}

function evolve(state: MailJobState | undefined, event: Recorded<MailJobEvent>): MailJobState {
  if (event.type === 'MailAttempted.v1' || event.type === 'MailDropped.v1') {
    const { jobId, kind, tenantId, serial } = event.data;
    const { attempts = 0, attemptsInRow = 0 } = state ?? {};
    const job = { jobId, kind, tenantId, serial };
    if (event.type === 'MailDropped.v1') return { job, attempts, attemptsInRow, situation: { is: 'dropped' } };
    const situation = { is: 'attempting', since: event.metadata.recordedAt } as const;
    return { job, attempts: event.data.attempt, attemptsInRow: attemptsInRow + 1, situation };
  }
  if (state === undefined) throw new Error(`${event.type} in ${event.stream} before the job was attempted`);
  switch (event.type) {
    case 'MailSent.v1':
      return { ...state, situation: { is: 'sent' } };
    case 'MailRefused.v1': {
      const { retryAt } = event.data;
      return retryAt === null ? state : { ...state, situation: { is: 'waiting', until: retryAt } };
    }
    case 'MailParked.v1':
      return { ...state, situation: { is: 'parked', reason: event.data.reason } };
    case 'MailResendRequested.v1':
      return { ...state, attemptsInRow: 0, situation: { is: 'due' } };
    default:
      return event satisfies never;
  }
}

export const mailJob: Aggregate<MailJobState, MailJobEvent> = {
  category: 'mailJob',
  events: [MailAttempted, MailSent, MailRefused, MailParked, MailDropped, MailResendRequested],
  upcasters: {},
  evolve,
};

/** After this long nobody is at work on an attempt any more: all limits of handing a mail over are shorter together. */
export const ATTEMPT_OVER_AFTER_MS = 60_000;
