import { z } from 'zod';
import type { Aggregate } from '../../event-sourcing/aggregate.ts';
import { type Moment, moment, momentAfter } from '../../event-sourcing/time.ts';
import { defineEvent, type EventOf, type Recorded } from '../../event-sourcing/event.ts';
import { uuid } from '../../event-sourcing/identifiers.ts';

/** Stream of a mail, by the id of its job. */
export const mailJobStream = (jobId: string): string => `mailJob-${jobId}`;

/**
 * What is mailed: the link by which a merchant verifies its e-mail, or what it may do once it has. This list and those below
 * are stored in events: values are added and never removed.
 */
export const MAIL_KINDS = ['verification', 'onboarding'] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/**
 * A mail to be sent: only ids, so that no job and no event contains an address or a token. Address, name and link are looked
 * up when it is sent.
 */
export interface MailJob {
  readonly jobId: string;
  readonly kind: MailKind;
  /** The merchant that receives it. */
  readonly tenantId: string;
  /** Of the verification that it is about. */
  readonly serial: number;
}

/** A mail job as events store it. */
const job = { jobId: uuid, kind: z.enum(MAIL_KINDS), tenantId: uuid, serial: z.int() };

/** Why a mail is requested: an event asks for it, a refused attempt is due again, no mailer took it up, or a person asks. */
export const REQUEST_REASONS = ['event', 'retry', 'not_taken_up', 'resend'] as const;
export type RequestReason = (typeof REQUEST_REASONS)[number];

/** Why a mail is not to be sent any more. */
export const DROP_REASONS = ['replaced', 'already_verified', 'link_expired', 'merchant_unknown'] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/** What went wrong while a mail was sent: a name from a short list, never a text of the mail server. */
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

/** The mail is to be sent. The relay publishes one message for each of these; a mailer answers it with an attempt. */
export const MailRequested = defineEvent('MailRequested.v1', {
  ...job,
  reason: z.enum(REQUEST_REASONS),
});
/** The mail is about to be sent; recorded before, so that every reader knows that it may have left. */
export const MailAttempted = defineEvent('MailAttempted.v1', {
  ...job,
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
/** The mail is not tried again unless a person says so. */
export const MailParked = defineEvent('MailParked.v1', {
  jobId: uuid,
  attempt: z.int(),
  /** `refused`: it surely did not go out, and was tried often enough. `outcome_unknown`: it may have gone out. */
  reason: z.enum(['refused', 'outcome_unknown']),
});
/** The mail is no longer needed. */
export const MailDropped = defineEvent('MailDropped.v1', { ...job, reason: z.enum(DROP_REASONS) });
/** A person wants a parked mail to be sent once more. Written by earlier versions; now it is `MailRequested`, reason `resend`. */
export const MailResendRequested = defineEvent('MailResendRequested.v1', job);

export type MailJobEvent =
  | EventOf<typeof MailRequested>
  | EventOf<typeof MailAttempted>
  | EventOf<typeof MailSent>
  | EventOf<typeof MailRefused>
  | EventOf<typeof MailParked>
  | EventOf<typeof MailDropped>
  | EventOf<typeof MailResendRequested>;

/** What is known of a mail. */
export type MailSituation =
  /** No mailer has started an attempt. `last`: when it was requested last, `times`: how often in a row. */
  | { readonly is: 'requested'; readonly last: Moment; readonly times: number }
  /** A mailer sends it since `since`, or died while doing so. */
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

/** An attempt without a result is over after that long: all limits of sending a mail are shorter together. */
export const ATTEMPT_OVER_AFTER_MS = 60_000;

const FIRST_WAIT_FOR_MAILER_MS = 60_000;
const LONGEST_WAIT_FOR_MAILER_MS = 6 * 60 * 60_000;

/** When the mail is to be looked at again, by its stream alone; undefined: not by itself. */
export function dueAt(situation: MailSituation): Moment | undefined {
  switch (situation.is) {
    case 'requested':
      return momentAfter(situation.last, waitForMailerMs(situation.times));
    case 'attempting':
      return momentAfter(situation.since, ATTEMPT_OVER_AFTER_MS);
    case 'waiting':
      return situation.until;
    default:
      return undefined;
  }
}

/** Doubles with every request that no mailer took up, from 1 minute to 6 hours. */
function waitForMailerMs(times: number): number {
  return Math.min(FIRST_WAIT_FOR_MAILER_MS * 2 ** (times - 1), LONGEST_WAIT_FOR_MAILER_MS);
}

/** The state after a request. One after a refusal goes on with its row of attempts, one by a person begins a new row. */
function applyRequest(state: MailJobState | undefined, job: MailJob, at: Moment, reason: RequestReason): MailJobState {
  const { attempts = 0, attemptsInRow = 0, situation } = state ?? {};
  const times = reason === 'not_taken_up' && situation?.is === 'requested' ? situation.times + 1 : 1;
  const row = reason === 'resend' ? 0 : attemptsInRow;
  return { job, attempts, attemptsInRow: row, situation: { is: 'requested', last: at, times } };
}

function evolve(state: MailJobState | undefined, event: Recorded<MailJobEvent>): MailJobState {
  const at = event.metadata.recordedAt;
  switch (event.type) {
    case 'MailRequested':
      return applyRequest(state, jobOf(event.data), at, event.data.reason);
    // Streams of earlier versions begin with an attempt or a drop.
    case 'MailAttempted': {
      const attemptsInRow = (state?.attemptsInRow ?? 0) + 1;
      const situation = { is: 'attempting', since: at } as const;
      return { job: jobOf(event.data), attempts: event.data.attempt, attemptsInRow, situation };
    }
    case 'MailDropped': {
      const { attempts = 0, attemptsInRow = 0 } = state ?? {};
      return { job: jobOf(event.data), attempts, attemptsInRow, situation: { is: 'dropped' } };
    }
    default:
      break;
  }
  if (state === undefined) throw new Error(`${event.type} in ${event.stream} before the job was requested`);
  switch (event.type) {
    case 'MailSent':
      return { ...state, situation: { is: 'sent' } };
    case 'MailRefused': {
      const { retryAt } = event.data;
      return retryAt === null ? state : { ...state, situation: { is: 'waiting', until: retryAt } };
    }
    case 'MailParked':
      return { ...state, situation: { is: 'parked', reason: event.data.reason } };
    case 'MailResendRequested':
      return applyRequest(state, state.job, at, 'resend');
    default:
      return event satisfies never;
  }
}

function jobOf({ jobId, kind, tenantId, serial }: MailJob): MailJob {
  return { jobId, kind, tenantId, serial };
}

export const mailJob: Aggregate<MailJobState, MailJobEvent> = {
  category: 'mailJob',
  events: [MailRequested, MailAttempted, MailSent, MailRefused, MailParked, MailDropped, MailResendRequested],
  evolve,
};
