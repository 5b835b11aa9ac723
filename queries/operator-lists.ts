import { z } from 'zod';
import { MAIL_JOB_STATUSES, mailJobSchema } from '#projections/mail-jobs/mail-jobs.ts';
import { jsonArray, linkedPaging, paging, readPage } from './lists.ts';
import { defineQuery } from './query.ts';

const parkedSchema = z
  .strictObject({
    collection: z.string(),
    key: z.string(),
    reason: z.string(),
    event_id: z.string(),
    event_type: z.string(),
    position: z.string(),
  })
  .meta({ id: 'ParkedDocument' });

export const listParked = defineQuery({
  name: 'ListParked',
  summary: 'Lists parked documents, each with the event that could not be folded and the reason.',
  description:
    'Documents that are parked because an event could not be folded. Reading one answers 503, lists show the last valid state. After a repair, use RetryParked.',
  errors: [],
  roles: ['admin', 'auditor'],
  search: z.strictObject(paging),
  paged: true,
  response: z.array(parkedSchema),
  async respond({ search: { limit, offset } }, { readModels, collections }) {
    const items: string[] = [];
    let count = 0;
    for (const collection of collections.keys()) {
      const inCollection = await readModels.countParked(collection);
      const page = { limit: limit - items.length, offset: Math.max(0, offset - count) };
      count += inCollection;
      if (page.limit === 0 || page.offset >= inCollection) continue;
      for (const { key, parked } of await readModels.parked(collection, page)) {
        const { reason, eventId: event_id, eventType: event_type } = parked;
        const item = { collection, key, reason, event_id, event_type, position: String(parked.position) };
        items.push(JSON.stringify(item satisfies z.infer<typeof parkedSchema>));
      }
    }
    return { kind: 'page', count, limit, offset, results: jsonArray(items) };
  },
});

export const listMailJobs = defineQuery({
  name: 'ListMailJobs',
  summary: 'Lists mail jobs with their status, without addresses.',
  description: 'Mails with their attempts. A parked mail needs a decision: ResendMail, or nothing.',
  errors: [],
  roles: ['admin', 'auditor'],
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
