import { z } from 'zod';
import { MAIL_JOB_STATUSES, mailJobSchema } from '../projections/mail-jobs/mail-jobs.ts';
import { readPage, linkedPaging } from './lists.ts';
import { defineQuery } from './query.ts';

export const listMailJobs = defineQuery({
  name: 'ListMailJobs',
  summary: 'Lists mail jobs with their status, without addresses.',
  roles: ['admin', 'auditor'],
  pathParameters: z.strictObject({}),
  search: z.strictObject({
    ...linkedPaging,
    status: z
      .enum(MAIL_JOB_STATUSES, `must be one of: ${MAIL_JOB_STATUSES.join(', ')}`)
      .optional()
      .meta({ description: 'Only mails of this status; parked ones are sent again by ResendMail alone' }),
  }),
  paged: true,
  response: z.array(mailJobSchema),
  async respond({ search }, context) {
    const { status } = search;
    const where = status === undefined ? {} : { status };
    return await readPage(context, 'mail_jobs', { ...search, where }, ({ body }) => body ?? 'null');
  },
});
