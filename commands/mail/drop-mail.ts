import { z } from 'zod';
import type { NewEvent } from '../../src/domain/event.ts';
import {
  DROP_REASONS,
  type DropReason,
  type MailJob,
  type MailJobEvent,
  type MailJobState,
  mailJob,
  mailJobSchema,
  mailJobStream,
} from '../../src/domain/mail-job.ts';
import { defineCommand } from '../command.ts';
import { recordDecision } from '../shared/record-decision.ts';
import { MailNotDue } from './not-due.ts';

/** A mail that nobody needs any more is not sent. @throws {MailNotDue} when it is under way or over */
export function decideDropMail(
  job: MailJob,
  present: MailJobState | undefined,
  reason: DropReason,
): NewEvent<MailJobEvent>[] {
  const { is } = present?.situation ?? { is: 'due' };
  if (is !== 'due' && is !== 'waiting') throw new MailNotDue(`the job is ${is}`);
  return [{ type: 'MailDropped.v1', data: { ...job, reason } }];
}

/** Records that a mail is not needed any more. Run by Surety itself, not in the back office. */
export const dropMail = defineCommand({
  name: 'DropMail',
  summary: 'Records that a mail is not needed any more.',
  input: z.strictObject({ job: mailJobSchema, reason: z.enum(DROP_REASONS) }),
  roles: [],
  inEnvironment: false,
  creates: false,
  changesOneStream: true,
  handle: async ({ job, reason }, context) => {
    const present = await context.loadTarget(mailJob, mailJobStream(job.jobId));
    return await recordDecision(context, present, decideDropMail(job, present.state, reason), {
      merchant: job.tenantId,
    });
  },
  result: () => ({}),
});
