import { z } from 'zod';
import { MailRequested, mailJob, mailJobStream, mailTags } from '#domain/mail-job/mail-job.ts';
import { refusalsOf } from '#domain/refusals.ts';
import { defineChange } from '../command.ts';
import { requireExisting } from '../shared/require-existing.ts';
import { resourceId } from '../shared/fields.ts';

const refuse = refusalsOf('mail_job_not_found', 'mail_job_not_parked');

export const resendMail = defineChange({
  name: 'ResendMail',
  summary: 'Sends a parked mail again; if its outcome is unknown, it may arrive twice.',
  description:
    'Sends a parked mail again: after the last attempt was refused, or after an attempt with unknown outcome, when the mail may arrive twice.',
  input: z.strictObject({
    job_id: resourceId.meta({ description: 'Id of the mail job, as GET /api/v1/admin/mail-jobs lists it' }),
  }),
  example: { job_id: '9c1f0d52-7e3a-4c55-8b0e-4f2d1a6b7c80' },
  response: z.strictObject({}),
  errors: refuse.codes,
  roles: ['admin'],
  changesOneStream: true,
  aggregate: mailJob,
  find: async ({ job_id: jobId }, context) => {
    const loaded = await context.loadTarget(mailJob, mailJobStream(jobId));
    return requireExisting(loaded, () => refuse('mail_job_not_found', `There is no mail with the job id ${jobId}`));
  },
  decide({ delivery, job }) {
    if (delivery.status !== 'parked')
      throw refuse('mail_job_not_parked', `The mail ${job.jobId} is not parked, so it cannot be sent again`);
    return [{ type: MailRequested.type, data: { ...job, reason: 'resend' as const } }];
  },
  tags: mailTags,
});
