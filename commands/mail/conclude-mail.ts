import { z } from 'zod';
import { type Moment, momentAfter } from '../../src/event-sourcing/time.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { type MailJobEvent, type MailJobState, REFUSAL_REASONS, mailJob } from '../../src/domain/mail-job/mail-job.ts';
import { defineCommand } from '../command.ts';
import { changeMailJob, MailNotDue } from './change-mail-job.ts';

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

interface Conclusion {
  readonly attempt: number;
  readonly outcome: z.output<typeof outcome>;
  readonly now: Moment;
}

/**
 * Decides what follows from the result of an attempt. A mail with an unknown result is parked and never repeated
 * automatically.
 * @throws {MailNotDue} when the attempt has a result already
 */
export function decideConcludeMail(
  { situation, job: { jobId }, attempts }: MailJobState,
  { attempt, outcome: result, now }: Conclusion,
): NewEvent<MailJobEvent>[] {
  if (attempts !== attempt) throw new MailNotDue('there was a later attempt');
  // A late result counts even after the mail was parked without one.
  const late = situation.status === 'parked' && situation.reason === 'outcome_unknown' && result.status !== 'unknown';
  if (situation.status !== 'attempting' && !late) throw new MailNotDue(`the job is ${situation.status}`);
  switch (result.status) {
    case 'sent':
      return [{ type: 'MailSent', data: { jobId, attempt } }];
    case 'refused': {
      const { reason, smtpCode, retryAfterMs } = result;
      const retryAt = retryAfterMs === null ? null : momentAfter(now, retryAfterMs);
      const refused: NewEvent<MailJobEvent> = {
        type: 'MailRefused',
        data: { jobId, attempt, reason, smtpCode, retryAt },
      };
      return retryAt === null ? [refused, mailParkedEvent(jobId, attempt, 'refused')] : [refused];
    }
    case 'unknown':
      return [mailParkedEvent(jobId, attempt, 'outcome_unknown')];
    default:
      return result satisfies never;
  }
}

function mailParkedEvent(
  jobId: string,
  attempt: number,
  reason: 'refused' | 'outcome_unknown',
): NewEvent<MailJobEvent> {
  return { type: 'MailParked', data: { jobId, attempt, reason } };
}

/** System command of the mailer: records the result of an attempt. */
export const concludeMail = defineCommand({
  name: 'ConcludeMail',
  summary: 'Records the result of sending a mail.',
  input: z.strictObject({ jobId: z.uuid(), attempt: z.int(), outcome }),
  roles: [],
  inEnvironment: false,
  creates: false,
  changesOneStream: true,
  aggregate: mailJob,
  decide: decideConcludeMail,
  handle: async ({ jobId, ...result }, context) =>
    await changeMailJob(context, jobId, (current) => decideConcludeMail(current, { ...result, now: context.now })),
  result: () => ({}),
});
