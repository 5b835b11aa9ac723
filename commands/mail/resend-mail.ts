import { z } from 'zod';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { type MailJobEvent, type MailJobState, mailJob, mailJobStream } from '../../src/domain/mail-job/mail-job.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { defineCommand } from '../command.ts';
import { requireExisting } from '../shared/require-existing.ts';
import { resourceId } from '../shared/fields.ts';

/** Requests a parked mail again; it may arrive twice. @throws {Refusal} `mail_job_not_parked` */
function decideResendMail({ delivery, job }: MailJobState): NewEvent<MailJobEvent>[] {
  if (delivery.status !== 'parked') {
    throw new Refusal('mail_job_not_parked', `The mail ${job.jobId} is not parked, so it cannot be sent again`);
  }
  return [{ type: 'MailRequested', data: { ...job, reason: 'resend' } }];
}

export const resendMail = defineCommand({
  name: 'ResendMail',
  summary: 'Sends a parked mail again; if its outcome is unknown, it may arrive twice.',
  input: z.strictObject({
    job_id: resourceId.meta({ description: 'Id of the mail job, as GET /api/v1/admin/mail-jobs lists it' }),
  }),
  roles: ['admin'],
  changesOneStream: true,
  aggregate: mailJob,
  decide: decideResendMail,
  handle: async ({ job_id: jobId }, context) => {
    const loaded = await context.loadTarget(mailJob, mailJobStream(jobId));
    const found = requireExisting(loaded, 'mail_job_not_found', `There is no mail with the job id ${jobId}`);
    return { target: found, events: decideResendMail(found.state), tags: { merchant: found.state.job.tenantId } };
  },
});
