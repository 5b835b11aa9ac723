import { z } from 'zod';
import {
  type EnvironmentDocument,
  environmentItemSchema,
  environmentSchema,
} from '#projections/environments/environments.ts';
import type { StoredDocument } from '#stores/read-models/read-models.ts';
import { linkedPaging, readPage } from './lists.ts';
import { environmentPath, merchantPath } from './parameters.ts';
import { defineQuery } from './query.ts';
import {
  entityTagOf,
  ENVIRONMENT_ERRORS,
  getEnvironmentDocument,
  getOwnMerchantDocument,
  MERCHANT_ERRORS,
  parseBody,
} from './resources.ts';

export const getEnvironment = defineQuery({
  name: 'GetEnvironment',
  summary: 'Reads one environment.',
  description:
    "Returns an environment of the key's merchant, live or test, by its number. Platform keys can read all environments.",
  errors: ENVIRONMENT_ERRORS,
  pathParameters: environmentPath,
  response: environmentSchema,
  async respond({ path }, context) {
    const document = await getEnvironmentDocument(context, path.id);
    const { environment_name, test_mode, client_id, time_zone } = parseBody(document) as EnvironmentDocument;
    const etag = entityTagOf(context, 'environments', document);
    return { kind: 'resource', body: JSON.stringify({ environment_name, test_mode, client_id, time_zone }), etag };
  },
});

export const listMerchantEnvironments = defineQuery({
  name: 'ListMerchantEnvironments',
  summary: 'Lists the environments of a merchant, live and test.',
  description:
    "The environments of the key's merchant, live and test, oldest first. Platform keys can read those of all.",
  errors: MERCHANT_ERRORS,
  pathParameters: merchantPath,
  search: z.strictObject(linkedPaging),
  paged: true,
  response: z.array(environmentItemSchema),
  async respond({ path, search }, context) {
    const { key: merchant } = await getOwnMerchantDocument(context, path.short_code);
    return await readPage(context, 'environments', { ...search, where: { merchant } }, toItem);
  },
});

function toItem(stored: StoredDocument): string {
  const { merchant_id: _, ...environment } = parseBody(stored) as EnvironmentDocument;
  return JSON.stringify({ environment_id: Number(stored.key), ...environment });
}
