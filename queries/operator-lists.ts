import { z } from 'zod';
import { MAIL_JOB_STATUSES, mailJobSchema } from '#projections/mail-jobs/mail-jobs.ts';
import { jsonArray, linkedPaging, paging, readPage, type ListQuery } from './lists.ts';
import { defineQuery, type PageResponse, type QueryContext } from './query.ts';
import { type ApiKeyDocument, keySchema } from '#projections/api-keys/api-keys.ts';
import { type PersonDocument, personResource, personSchema } from '#projections/persons/persons.ts';
import { environmentPath } from './parameters.ts';
import { ENVIRONMENT_ERRORS, getEnvironmentDocument, parseBody } from './resources.ts';

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

export const listPersons = defineQuery({
  name: 'ListPersons',
  summary: 'Lists the persons who work with Surety, removed ones too.',
  description:
    'Persons with their roles and rights, in the order in which they were added, with the time of their removal.',
  errors: [],
  roles: ['admin', 'auditor'],
  search: z.strictObject(linkedPaging),
  paged: true,
  response: z.array(personSchema),
  respond: async ({ search }, context) =>
    await readPage(context, 'persons', search, (stored) =>
      JSON.stringify(personResource(parseBody(stored) as PersonDocument)),
    ),
});

const keyListSearch = z.strictObject(linkedPaging);

/** Returns a page of the keys of an environment; null: of the platform. */
async function readKeyPage(
  context: QueryContext,
  environment: number | null,
  search: Omit<ListQuery, 'where'>,
): Promise<PageResponse> {
  return await readPage(context, 'api_keys', { ...search, where: { environment } }, (stored) => {
    const { environment_id: _, ...item } = parseBody(stored) as ApiKeyDocument;
    return JSON.stringify(item satisfies z.infer<typeof keySchema>);
  });
}

export const listPlatformKeys = defineQuery({
  name: 'ListPlatformKeys',
  summary: 'Lists the API keys of the platform and of insurers, revoked ones too.',
  description:
    "The keys of administrators, auditors, claims handlers and insurers, oldest first, with the time of their revocation. The administrator's key of the settings is not listed.",
  errors: [],
  roles: ['admin', 'auditor'],
  search: keyListSearch,
  paged: true,
  response: z.array(keySchema),
  respond: async ({ search }, context) => await readKeyPage(context, null, search),
});

export const listEnvironmentKeys = defineQuery({
  name: 'ListEnvironmentKeys',
  roles: ['merchant', 'admin', 'auditor'],
  summary: 'Lists the API keys of an environment, revoked ones too.',
  description:
    "The keys of an environment of the key's merchant, live or test, oldest first, with the time of their revocation. A list never shows a key itself, only its id and its label.",
  errors: ENVIRONMENT_ERRORS,
  pathParameters: environmentPath,
  search: keyListSearch,
  paged: true,
  response: z.array(keySchema),
  async respond({ path, search }, context) {
    const { key } = await getEnvironmentDocument(context, path.id);
    return await readKeyPage(context, Number(key), search);
  },
});
