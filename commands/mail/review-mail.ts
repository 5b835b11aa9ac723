import { z } from 'zod';
import type { Moment } from '../../src/event-sourcing/time.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { dueAt, type MailJobEvent, type MailJobState, mailJob } from '../../src/domain/mail-job/mail-job.ts';
import type { ExecutedCommand } from '../../src/command-handling/command.ts';
import { defineCommand } from '../command.ts';
import { changeMailJob, MailNotDue } from './change-mail-job.ts';

/**
 * Requests a mail again after a failed attempt or when no mailer attempted it, and parks a mail whose attempt has no result.
 * @throws {MailNotDue} when nothing is due
 */
export function decideReviewMail(
  { situation, job, attempts }: MailJobState,
  { now }: { readonly now: Moment },
): NewEvent<MailJobEvent>[] {
  const due = dueAt(situation);
  if (due === undefined || now < due) throw new MailNotDue(`the job is ${situation.status}`);
  if (situation.status === 'attempting') {
    return [{ type: 'MailParked', data: { jobId: job.jobId, attempt: attempts, reason: 'outcome_unknown' } }];
  }
  const reason = situation.status === 'waiting' ? 'retry' : 'not_taken_up';
  return [{ type: 'MailRequested', data: { ...job, reason } }];
}

/** System command of the scheduler: requests or parks a mail that is due according to its events. */
export const reviewMail = defineCommand({
  name: 'ReviewMail',
  summary: 'Requests a mail again, or parks it.',
  input: z.strictObject({ jobId: z.uuid() }),
  roles: [],
  inEnvironment: false,
  creates: false,
  changesOneStream: true,
  aggregate: mailJob,
  decide: decideReviewMail,
  handle: async ({ jobId }, context) =>
    await changeMailJob(context, jobId, (current) => decideReviewMail(current, context)),
  result: ({ events: [event] }: ExecutedCommand<MailJobEvent>) => ({
    decision: event?.type === 'MailRequested' ? event.data.reason : 'parked',
  }),
});
