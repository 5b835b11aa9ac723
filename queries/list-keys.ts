import { z } from 'zod';
import { type ApiKeyDocument, keySchema } from '#projections/api-keys/api-keys.ts';
import { linkedPaging, type ListQuery, readPage } from './lists.ts';
import { environmentPath } from './parameters.ts';
import { defineQuery, type PageResponse, type QueryContext } from './query.ts';
import { ENVIRONMENT_ERRORS, getEnvironmentDocument, parseBody } from './resources.ts';

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
  summary: 'Lists the API keys of the platform, revoked ones too.',
  description:
    "The keys of administrators and auditors, oldest first, with the time of their revocation. The administrator's key of the settings is not listed.",
  errors: [],
  roles: ['admin', 'auditor'],
  search: keyListSearch,
  paged: true,
  response: z.array(keySchema),
  respond: async ({ search }, context) => await readKeyPage(context, null, search),
});

export const listEnvironmentKeys = defineQuery({
  name: 'ListEnvironmentKeys',
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
