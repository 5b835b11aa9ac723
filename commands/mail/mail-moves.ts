import { z } from 'zod';
import {
  DROP_REASONS,
  dueAt,
  MAIL_KINDS,
  MailAttempted,
  MailDropped,
  MailParked,
  MailRefused,
  MailRequested,
  MailSent,
  type MailJob,
  type MailJobEvent,
  type MailJobState,
  mailJob,
  mailJobStream,
  mailTags,
  REFUSAL_REASONS,
} from '#domain/mail-job/mail-job.ts';
import type { NewEvent } from '#event-sourcing/event.ts';
import { instantAfter } from '#event-sourcing/time.ts';
import { type CommandContext, defineSystemChange, defineSystemCommand } from '../command.ts';

/**
 * The move of a mail job is not due, or another process did it first. Not a Refusal, because only processes run these
 * commands and continue with the next mail.
 */
export class MailNotDue extends Error {
  override readonly name = 'MailNotDue';
}

const ofMailJob = { roles: [], process: 'mailer', changesOneStream: true, aggregate: mailJob } as const;

const changeOfMailJob = {
  ...ofMailJob,
  find: async ({ jobId }: { readonly jobId: string }, context: CommandContext) => {
    const target = await context.loadTarget(mailJob, mailJobStream(jobId));
    const { state } = target;
    if (state === undefined) throw new MailNotDue('there is no such mail');
    return { ...target, state };
  },
  tags: mailTags,
} as const;

function decideRequestMail(state: MailJobState | undefined, job: MailJob): NewEvent<MailJobEvent>[] {
  if (state !== undefined) throw new MailNotDue('the mail was requested before');
  return [{ type: 'MailRequested', data: { ...job, reason: 'event' } }];
}

export const requestMail = defineSystemCommand({
  ...ofMailJob,
  name: 'RequestMail',
  summary: 'Records that a mail is to be sent.',
  input: z.strictObject({ jobId: z.uuid(), kind: z.enum(MAIL_KINDS), tenantId: z.uuid(), serial: z.int() }),
  decide: decideRequestMail,
  handle: async (job, context) => {
    const target = await context.loadTarget(mailJob, mailJobStream(job.jobId));
    return { target, events: decideRequestMail(target.state, job), tags: { merchant: job.tenantId } };
  },
});

/**
 * System command of the mailer: records that a mail is about to be sent. Of several mailers with the same job exactly
 * one succeeds, because each runs the command with a separate id.
 */
export const attemptMail = defineSystemChange({
  ...changeOfMailJob,
  name: 'AttemptMail',
  summary: 'Records that a mail is about to be sent.',
  input: z.strictObject({ jobId: z.uuid() }),
  decide({ job: { jobId }, attempts, delivery }) {
    if (delivery.status !== 'requested') throw new MailNotDue(`the job is ${delivery.status}`);
    return [{ type: MailAttempted.type, data: { jobId, attempt: attempts + 1 } }];
  },
  result: ({ state, events }) => ({
    attempt: state.attempts,
    attempts_in_row: state.attemptsInRow,
    recorded_at: events[0]?.metadata.recordedAt,
  }),
});

const outcome = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('sent') }),
  z.strictObject({
    status: z.literal('refused'),
    reason: z.enum(REFUSAL_REASONS),
    smtpCode: z.int().nullable(),
    /** Milliseconds until the next attempt; null when there is none. */
    retryAfterMs: z.int().min(0).nullable(),
  }),
  /** The connection ended or timed out after the message was sent, so the mail server may have accepted it. */
  z.strictObject({ status: z.literal('unknown') }),
]);

function mailParked(jobId: string, attempt: number, reason: 'refused' | 'outcome_unknown'): NewEvent<MailJobEvent> {
  return { type: MailParked.type, data: { jobId, attempt, reason } };
}

/**
 * Records what follows from the result of an attempt. A mail with an unknown result is parked and never repeated
 * automatically.
 * @throws {MailNotDue} when the attempt has a result already
 */
export const concludeMail = defineSystemChange({
  ...changeOfMailJob,
  name: 'ConcludeMail',
  summary: 'Records the result of sending a mail.',
  input: z.strictObject({ jobId: z.uuid(), attempt: z.int(), outcome }),
  decide({ delivery, job: { jobId }, attempts }, { attempt, outcome: result, now }) {
    if (attempts !== attempt) throw new MailNotDue('there was a later attempt');
    // A late result counts even after the mail was parked without one.
    const isLateResult =
      delivery.status === 'parked' && delivery.reason === 'outcome_unknown' && result.status !== 'unknown';
    if (delivery.status !== 'attempting' && !isLateResult) throw new MailNotDue(`the job is ${delivery.status}`);
    switch (result.status) {
      case 'sent':
        return [{ type: MailSent.type, data: { jobId, attempt } }];
      case 'refused': {
        const { reason, smtpCode, retryAfterMs } = result;
        const retryAt = retryAfterMs === null ? null : instantAfter(now, retryAfterMs);
        const refused = { type: MailRefused.type, data: { jobId, attempt, reason, smtpCode, retryAt } };
        return [refused, ...(retryAt === null ? [mailParked(jobId, attempt, 'refused')] : [])];
      }
      case 'unknown':
        return [mailParked(jobId, attempt, 'outcome_unknown')];
      default:
        return result satisfies never;
    }
  },
});

export const dropMail = defineSystemChange({
  ...changeOfMailJob,
  name: 'DropMail',
  summary: 'Records that a mail is not needed any more.',
  input: z.strictObject({ jobId: z.uuid(), reason: z.enum(DROP_REASONS) }),
  decide({ job: { jobId }, delivery }, { reason }) {
    if (delivery.status !== 'requested') throw new MailNotDue(`the job is ${delivery.status}`);
    return [{ type: MailDropped.type, data: { jobId, reason } }];
  },
});

/**
 * System command of the scheduler: requests a mail again after a failed attempt or when no mailer attempted it, and
 * parks a mail whose attempt has no result.
 * @throws {MailNotDue} when nothing is due
 */
export const reviewMail = defineSystemChange({
  ...changeOfMailJob,
  name: 'ReviewMail',
  summary: 'Requests a mail again, or parks it.',
  input: z.strictObject({ jobId: z.uuid() }),
  decide({ delivery, job, attempts }, { now }) {
    const due = dueAt(delivery);
    if (due === undefined || now < due) throw new MailNotDue(`the job is ${delivery.status}`);
    if (delivery.status === 'attempting') return [mailParked(job.jobId, attempts, 'outcome_unknown')];
    const reason = delivery.status === 'waiting' ? ('retry' as const) : ('not_taken_up' as const);
    return [{ type: MailRequested.type, data: { ...job, reason } }];
  },
  result: ({ events: [event] }) => ({
    decision: event?.type === 'MailRequested' ? event.data.reason : 'parked',
  }),
});
