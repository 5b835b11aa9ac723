import { z } from 'zod';
import { type Moment, momentAfter } from '../../src/domain/dates.ts';
import type { NewEvent } from '../../src/domain/event.ts';
import {
  ATTEMPT_OVER_AFTER_MS,
  type MailJobEvent,
  type MailJobState,
  mailJob,
  mailJobStream,
  REFUSAL_REASONS,
} from '../../src/domain/mail-job.ts';
import { defineCommand } from '../command.ts';
import { recordDecision } from '../shared/record-decision.ts';
import { MailNotDue } from './not-due.ts';

const outcome = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('sent') }),
  z.strictObject({
    is: z.literal('refused'),
    reason: z.enum(REFUSAL_REASONS),
    smtpCode: z.int().nullable(),
    /** It is tried again after so many milliseconds; null: no more. */
    retryAfterMs: z.int().min(0).nullable(),
  }),
  /** The line was cut or fell silent after the message was handed over: it may have been taken. */
  z.strictObject({ is: z.literal('unknown') }),
  /** Nobody is at work on the attempt any more. */
  z.strictObject({ is: z.literal('abandoned') }),
]);
type Outcome = z.output<typeof outcome>;

/**
 * What became of an attempt. What is not known to have failed is parked and never repeated by itself.
 * @throws {MailNotDue} when it was concluded already, or is too young to have been abandoned
 */
export function decideConcludeMail(
  present: MailJobState | undefined,
  attempt: number,
  ended: Outcome,
  now: Moment,
): NewEvent<MailJobEvent>[] {
  if (present === undefined || present.attempts !== attempt) throw new MailNotDue('there is no such attempt');
  const { situation } = present;
  const { jobId } = present.job;
  // A worker that was held up says it late: a mail that went out is never called unknown when it need not be.
  const late = situation.is === 'parked' && situation.reason === 'outcome_unknown' && ended.is === 'sent';
  if (situation.is !== 'attempting' && !late) throw new MailNotDue(`the job is ${situation.is}`);
  switch (ended.is) {
    case 'sent':
      return [{ type: 'MailSent.v1', data: { jobId, attempt } }];
    case 'refused': {
      const { reason, smtpCode, retryAfterMs } = ended;
      const retryAt = retryAfterMs === null ? null : momentAfter(now, retryAfterMs);
      const refused: NewEvent<MailJobEvent> = {
        type: 'MailRefused.v1',
        data: { jobId, attempt, reason, smtpCode, retryAt },
      };
      return retryAt === null ? [refused, parked(jobId, attempt, 'refused')] : [refused];
    }
    case 'abandoned':
      if (situation.is === 'attempting' && now < momentAfter(situation.since, ATTEMPT_OVER_AFTER_MS)) {
        throw new MailNotDue('somebody may still be at work on it');
      }
      return [parked(jobId, attempt, 'outcome_unknown')];
    case 'unknown':
      return [parked(jobId, attempt, 'outcome_unknown')];
    default:
      return ended satisfies never;
  }
}

function parked(jobId: string, attempt: number, reason: 'refused' | 'outcome_unknown'): NewEvent<MailJobEvent> {
  return { type: 'MailParked.v1', data: { jobId, attempt, reason } };
}

/** Records what became of an attempt. Run by Surety itself, not in the back office. */
export const concludeMail = defineCommand({
  name: 'ConcludeMail',
  summary: 'Records what became of handing a mail over.',
  input: z.strictObject({ jobId: z.uuid(), attempt: z.int(), outcome }),
  roles: [],
  inEnvironment: false,
  creates: false,
  changesOneStream: true,
  handle: async ({ jobId, attempt, outcome: ended }, context) => {
    const present = await context.loadTarget(mailJob, mailJobStream(jobId));
    const events = decideConcludeMail(present.state, attempt, ended, context.now);
    const belongs = present.state === undefined ? {} : { merchant: present.state.job.tenantId };
    return await recordDecision(context, present, events, belongs);
  },
  result: () => ({}),
});
