import { z } from 'zod';
import { type EnvironmentDocument, environmentItemSchema } from '../projections/environments/environments.ts';
import type { StoredDocument } from '../src/read-models/read-models.ts';
import { linkedPaging, readPage } from './lists.ts';
import { defineQuery } from './query.ts';
import { getOwnMerchantDocument } from './resources.ts';
import { parseBody } from './stored-documents.ts';
import { merchantPath } from './parameters.ts';

export const listMerchantEnvironments = defineQuery({
  name: 'ListMerchantEnvironments',
  summary: 'Lists the environments of a merchant, live and test.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: merchantPath,
  search: z.strictObject(linkedPaging),
  paged: true,
  response: z.array(environmentItemSchema),
  async answer({ path, search }, context) {
    const { key: merchant } = await getOwnMerchantDocument(context, path.short_code);
    return await readPage(context, 'environments', { ...search, where: { merchant } }, toItem);
  },
});

function toItem(stored: StoredDocument): string {
  const { merchant_id: _, ...environment } = parseBody(stored) as EnvironmentDocument;
  return JSON.stringify({ environment_id: Number(stored.key), ...environment });
}
