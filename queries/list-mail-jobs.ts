import { z } from 'zod';
import { DROP_REASONS, MAIL_KINDS, REFUSAL_REASONS } from '../src/domain/mail-job/mail-job.ts';
import { readPage, linkedPaging } from './lists.ts';
import { defineQuery } from './query.ts';

const STATUSES = ['requested', 'waiting', 'sent', 'parked', 'dropped'] as const;

const mailJobShape = z
  .strictObject({
    job_id: z.uuid(),
    kind: z.enum(MAIL_KINDS),
    tenant_id: z.uuid(),
    status: z.enum(STATUSES),
    reason: z.enum(['refused', 'outcome_unknown', ...DROP_REASONS]).nullable(),
    attempts: z.int(),
    created_at: z.iso.datetime(),
    last_attempt_at: z.iso.datetime().nullable(),
    requested_at: z.iso.datetime().nullable(),
    requests: z.int(),
    due_at: z.iso.datetime().nullable(),
    next_attempt_at: z.iso.datetime().nullable(),
    last_error: z.enum(REFUSAL_REASONS).nullable(),
    smtp_code: z.int().nullable(),
  })
  .meta({ id: 'MailJob' });

export const listMailJobs = defineQuery({
  name: 'ListMailJobs',
  summary: 'Lists mail jobs with their status, without addresses.',
  roles: ['admin', 'auditor'],
  pathParameters: z.strictObject({}),
  search: z.strictObject({
    ...linkedPaging,
    status: z
      .enum(STATUSES, `must be one of: ${STATUSES.join(', ')}`)
      .optional()
      .meta({ description: 'Only mails of this status; parked ones are sent again by ResendMail alone' }),
  }),
  paged: true,
  response: z.array(mailJobShape),
  async answer({ search }, context) {
    const { status } = search;
    const where = status === undefined ? {} : { status };
    return await readPage(context, 'mail_jobs', { ...search, where }, ({ body }) => body ?? 'null');
  },
});
