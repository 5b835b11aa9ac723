import type { NewEvent } from '../../src/event-sourcing/event.ts';
import {
  type MailJob,
  type MailJobEvent,
  type MailJobState,
  mailJob,
  mailJobSchema,
  mailJobStream,
} from '../../src/domain/mail-job/mail-job.ts';
import { defineCommand } from '../../src/command-handling/command.ts';
import { recordDecision } from '../../src/command-handling/record-decision.ts';
import { MailNotDue } from './change-mail-job.ts';

/** Requests a mail for the first time. @throws {MailNotDue} when its stream exists already */
export function decideRequestMail(job: MailJob, present: MailJobState | undefined): NewEvent<MailJobEvent>[] {
  if (present !== undefined) throw new MailNotDue('the mail was requested before');
  return [{ type: 'MailRequested', data: { ...job, reason: 'event' } }];
}

/** Records that an event asks for a mail, once for each job id. Run by the relay, not by a person. */
export const requestMail = defineCommand({
  name: 'RequestMail',
  summary: 'Records that a mail is to be sent.',
  input: mailJobSchema,
  roles: [],
  inEnvironment: false,
  creates: false,
  changesOneStream: true,
  handle: async (job, context) => {
    const present = await context.loadTarget(mailJob, mailJobStream(job.jobId));
    const events = decideRequestMail(job, present.state);
    return await recordDecision(context, present, events, { merchant: job.tenantId });
  },
  result: () => ({}),
});
