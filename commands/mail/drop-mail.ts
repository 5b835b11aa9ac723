import { z } from 'zod';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import {
  DROP_REASONS,
  type DropReason,
  type MailJobEvent,
  type MailJobState,
  mailJob,
} from '../../src/domain/mail-job/mail-job.ts';
import { defineCommand } from '../command.ts';
import { changeMailJob, MailNotDue } from './change-mail-job.ts';

/** @throws {MailNotDue} unless the mail is requested */
export function decideDropMail(
  { job, situation }: MailJobState,
  { reason }: { readonly reason: DropReason },
): NewEvent<MailJobEvent>[] {
  if (situation.status !== 'requested') throw new MailNotDue(`the job is ${situation.status}`);
  return [{ type: 'MailDropped', data: { jobId: job.jobId, reason } }];
}

/** System command of the mailer. */
export const dropMail = defineCommand({
  name: 'DropMail',
  summary: 'Records that a mail is not needed any more.',
  input: z.strictObject({ jobId: z.uuid(), reason: z.enum(DROP_REASONS) }),
  roles: [],
  inEnvironment: false,
  creates: false,
  changesOneStream: true,
  aggregate: mailJob,
  decide: decideDropMail,
  handle: async ({ jobId, reason }, context) =>
    await changeMailJob(context, jobId, (current) => decideDropMail(current, { reason })),
  result: () => ({}),
});
