import { z } from 'zod';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import {
  type MailJob,
  type MailJobEvent,
  type MailJobState,
  mailJob,
  MAIL_KINDS,
  mailJobStream,
} from '../../src/domain/mail-job/mail-job.ts';
import { defineCommand } from '../command.ts';
import { MailNotDue } from './change-mail-job.ts';

/** @throws {MailNotDue} when the mail was requested before */
export function decideRequestMail(current: MailJobState | undefined, job: MailJob): NewEvent<MailJobEvent>[] {
  if (current !== undefined) throw new MailNotDue('the mail was requested before');
  return [{ type: 'MailRequested', data: { ...job, reason: 'event' } }];
}

/** System command of the relay: requests the mail of an event, once per job id. */
export const requestMail = defineCommand({
  name: 'RequestMail',
  summary: 'Records that a mail is to be sent.',
  input: z.strictObject({ jobId: z.uuid(), kind: z.enum(MAIL_KINDS), tenantId: z.uuid(), serial: z.int() }),
  roles: [],
  inEnvironment: false,
  creates: false,
  changesOneStream: true,
  aggregate: mailJob,
  decide: decideRequestMail,
  handle: async (job, context) => {
    const current = await context.loadTarget(mailJob, mailJobStream(job.jobId));
    const events = decideRequestMail(current.state, job);
    return { target: current, events, tags: { merchant: job.tenantId } };
  },
  result: () => ({}),
});
