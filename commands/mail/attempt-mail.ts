import { z } from 'zod';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { type MailJobEvent, type MailJobState, mailJob } from '../../src/domain/mail-job/mail-job.ts';
import { type ExecutedCommand, stateOf } from '../../src/command-handling/command.ts';
import { defineCommand } from '../command.ts';
import { changeMailJob, MailNotDue } from './change-mail-job.ts';

/** @throws {MailNotDue} unless the mail is requested */
export function decideAttemptMail({ job, attempts, situation }: MailJobState): NewEvent<MailJobEvent>[] {
  if (situation.status !== 'requested') throw new MailNotDue(`the job is ${situation.status}`);
  return [{ type: 'MailAttempted', data: { jobId: job.jobId, attempt: attempts + 1 } }];
}

/**
 * System command of the mailer: records that a mail is about to be sent. Of several mailers with the same job exactly
 * one succeeds, because each runs the command with a separate id.
 */
export const attemptMail = defineCommand({
  name: 'AttemptMail',
  summary: 'Records that a mail is about to be sent.',
  input: z.strictObject({ jobId: z.uuid() }),
  roles: [],
  inEnvironment: false,
  creates: false,
  changesOneStream: true,
  aggregate: mailJob,
  decide: decideAttemptMail,
  handle: async ({ jobId }, context) => await changeMailJob(context, jobId, decideAttemptMail),
  result: ({ history, events }: ExecutedCommand<MailJobEvent>) => {
    const { attempts, attemptsInRow } = stateOf(mailJob, history);
    return { attempt: attempts, attempts_in_row: attemptsInRow, recorded_at: events[0]?.metadata.recordedAt };
  },
});
