import { z } from 'zod';
import { type Moment, momentAfter } from '../../src/event-sourcing/time.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { type MailJobEvent, type MailJobState, REFUSAL_REASONS } from '../../src/domain/mail-job/mail-job.ts';
import { defineCommand } from '../../src/command-handling/command.ts';
import { changeMailJob, MailNotDue } from './change-mail-job.ts';

const outcome = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('sent') }),
  z.strictObject({
    is: z.literal('refused'),
    reason: z.enum(REFUSAL_REASONS),
    smtpCode: z.int().nullable(),
    /** It is tried again after so many milliseconds; null: no more. */
    retryAfterMs: z.int().min(0).nullable(),
  }),
  /** The connection ended or fell silent after the message was sent: the mail server may have taken it. */
  z.strictObject({ is: z.literal('unknown') }),
]);
type Outcome = z.output<typeof outcome>;

/**
 * Decides what follows from the result of an attempt. A mail that is not known to have failed is parked and never repeated by
 * itself.
 * @throws {MailNotDue} when the attempt has a result already
 */
export function decideConcludeMail(
  { situation, job: { jobId }, attempts }: MailJobState,
  attempt: number,
  ended: Outcome,
  now: Moment,
): NewEvent<MailJobEvent>[] {
  if (attempts !== attempt) throw new MailNotDue('there was a later attempt');
  // The result of a mailer that was held up counts also after the mail was parked without one.
  const late = situation.status === 'parked' && situation.reason === 'outcome_unknown' && ended.is !== 'unknown';
  if (situation.status !== 'attempting' && !late) throw new MailNotDue(`the job is ${situation.status}`);
  switch (ended.is) {
    case 'sent':
      return [{ type: 'MailSent', data: { jobId, attempt } }];
    case 'refused': {
      const { reason, smtpCode, retryAfterMs } = ended;
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
      return ended satisfies never;
  }
}

function mailParkedEvent(
  jobId: string,
  attempt: number,
  reason: 'refused' | 'outcome_unknown',
): NewEvent<MailJobEvent> {
  return { type: 'MailParked', data: { jobId, attempt, reason } };
}

/** Records the result of an attempt. Run by a mailer, not by a person. */
export const concludeMail = defineCommand({
  name: 'ConcludeMail',
  summary: 'Records the result of sending a mail.',
  input: z.strictObject({ jobId: z.uuid(), attempt: z.int(), outcome }),
  roles: [],
  inEnvironment: false,
  creates: false,
  changesOneStream: true,
  handle: async ({ jobId, attempt, outcome: ended }, context) =>
    await changeMailJob(context, jobId, (present) => decideConcludeMail(present, attempt, ended, context.now)),
  result: () => ({}),
});
