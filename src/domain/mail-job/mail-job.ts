import { z } from 'zod';
import type { Aggregate } from '#event-sourcing/aggregate.ts';
import { type Instant, instant, instantAfter } from '#event-sourcing/time.ts';
import { defineEvent, type EventOf, type RecordedEvent } from '#event-sourcing/event.ts';
import { uuid } from '#event-sourcing/identifiers.ts';
import type { Tags } from '../tags.ts';

export const mailJobStream = (jobId: string): string => `mailJob-${jobId}`;

/**
 * Kinds of mails: the verification link, or the welcome of a verified merchant. This list and those below are stored in
 * events: values are added and never removed.
 */
export const MAIL_KINDS = ['verification', 'onboarding'] as const;
type MailKind = (typeof MAIL_KINDS)[number];

/**
 * A mail to be sent: only ids, so that no job and no event contains an address or a token. Address, name and link are
 * looked up when it is sent.
 */
export interface MailJob {
  readonly jobId: string;
  readonly kind: MailKind;
  readonly tenantId: string;
  /** Of the verification that it is about. */
  readonly serial: number;
}

const REQUEST_REASONS = ['event', 'retry', 'not_taken_up', 'resend'] as const;
export type RequestReason = (typeof REQUEST_REASONS)[number];

/** Why a mail is no longer needed. */
export const DROP_REASONS = ['replaced', 'already_verified', 'link_expired', 'merchant_unknown'] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/** Why an attempt failed: one of these names, never a text of the mail server. */
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

/** The relay publishes one message for each request, and a mailer starts an attempt. */
export const MailRequested = defineEvent('MailRequested.v1', 'A mail was requested.', {
  jobId: uuid,
  kind: z.enum(MAIL_KINDS),
  tenantId: uuid,
  serial: z.int(),
  reason: z.enum(REQUEST_REASONS).describe('By an event, as a retry, because no mailer took it up, or by an operator.'),
});
/** It is recorded before sending, so that a mail that may have been sent is known. */
export const MailAttempted = defineEvent('MailAttempted.v1', 'An attempt to send a mail has started.', {
  jobId: uuid,
  attempt: z.int().describe('Number of the attempt.'),
});
export const MailSent = defineEvent('MailSent.v1', 'The mail server accepted the mail, or it was written to a file.', {
  jobId: uuid,
  attempt: z.int(),
});
export const MailRefused = defineEvent('MailRefused.v1', 'The mail was certainly not accepted.', {
  jobId: uuid,
  attempt: z.int(),
  reason: z.enum(REFUSAL_REASONS),
  smtpCode: z.int().nullable(),
  retryAt: instant.nullable().describe('Time of the next attempt; null: there is none.'),
});
export const MailParked = defineEvent('MailParked.v1', 'The mail is not retried unless an operator requests it.', {
  jobId: uuid,
  attempt: z.int(),
  reason: z.enum(['refused', 'outcome_unknown']).describe('`outcome_unknown`: it may have been sent.'),
});
export const MailDropped = defineEvent('MailDropped.v1', 'The mail is obsolete and was not sent.', {
  jobId: uuid,
  reason: z.enum(DROP_REASONS),
});

const EVENTS = [MailRequested, MailAttempted, MailSent, MailRefused, MailParked, MailDropped] as const;
export type MailJobEvent = EventOf<(typeof EVENTS)[number]>;

export type MailDelivery =
  /**
   * No mailer has started an attempt. `last`: time of the last request, `times`: number of requests since the last
   * attempt.
   */
  | { readonly status: 'requested'; readonly last: Instant; readonly times: number }
  | { readonly status: 'attempting'; readonly since: Instant }
  | { readonly status: 'waiting'; readonly until: Instant }
  | { readonly status: 'sent' | 'dropped' }
  | { readonly status: 'parked'; readonly reason: 'refused' | 'outcome_unknown' };

export interface MailJobState {
  readonly job: MailJob;
  readonly attempts: number;
  /** Attempts since the job was created or a person last requested it. The pause before a retry depends on it. */
  readonly attemptsInRow: number;
  readonly delivery: MailDelivery;
}

/** After this time an attempt can no longer have a result: all timeouts of sending add up to less. */
export const ATTEMPT_OVER_AFTER_MS = 60_000;

const MIN_WAIT_FOR_MAILER_MS = 60_000;
const MAX_WAIT_FOR_MAILER_MS = 6 * 60 * 60_000;

/** Returns when the scheduler requests the mail again or parks it; undefined: it does neither. */
export function dueAt(delivery: MailDelivery): Instant | undefined {
  switch (delivery.status) {
    case 'requested':
      return instantAfter(delivery.last, waitForMailerMs(delivery.times));
    case 'attempting':
      return instantAfter(delivery.since, ATTEMPT_OVER_AFTER_MS);
    case 'waiting':
      return delivery.until;
    default:
      return undefined;
  }
}

/** Doubles with every request without an attempt, from 1 minute to 6 hours. */
function waitForMailerMs(times: number): number {
  return Math.min(MIN_WAIT_FOR_MAILER_MS * 2 ** (times - 1), MAX_WAIT_FOR_MAILER_MS);
}

/** A retry continues the row of attempts; a request by a person starts a new row. */
function applyRequest(state: MailJobState | undefined, job: MailJob, at: Instant, reason: RequestReason): MailJobState {
  const { attempts = 0, attemptsInRow = 0, delivery } = state ?? {};
  const times = reason === 'not_taken_up' && delivery?.status === 'requested' ? delivery.times + 1 : 1;
  const row = reason === 'resend' ? 0 : attemptsInRow;
  return { job, attempts, attemptsInRow: row, delivery: { status: 'requested', last: at, times } };
}

function evolve(state: MailJobState | undefined, event: RecordedEvent<MailJobEvent>): MailJobState {
  const at = event.metadata.recordedAt;
  if (event.type === 'MailRequested') return applyRequest(state, jobOf(event.data), at, event.data.reason);
  if (state === undefined) throw new Error(`${event.type} in ${event.stream} before the job was requested`);
  switch (event.type) {
    case 'MailAttempted': {
      const attemptsInRow = state.attemptsInRow + 1;
      return { ...state, attempts: event.data.attempt, attemptsInRow, delivery: { status: 'attempting', since: at } };
    }
    case 'MailDropped':
      return { ...state, delivery: { status: 'dropped' } };
    case 'MailSent':
      return { ...state, delivery: { status: 'sent' } };
    case 'MailRefused': {
      const { retryAt } = event.data;
      return retryAt === null ? state : { ...state, delivery: { status: 'waiting', until: retryAt } };
    }
    case 'MailParked':
      return { ...state, delivery: { status: 'parked', reason: event.data.reason } };
    default:
      return event satisfies never;
  }
}

function jobOf({ jobId, kind, tenantId, serial }: MailJob): MailJob {
  return { jobId, kind, tenantId, serial };
}

export function mailTags({ job }: MailJobState): Tags {
  return { merchant: job.tenantId };
}

export const mailJob: Aggregate<MailJobState, MailJobEvent> = {
  category: 'mailJob',
  events: EVENTS,
  evolve,
};
