import { z } from 'zod';
import { keyListSearch, readKeyPage } from './key-lists.ts';
import { defineQuery } from './query.ts';
import { getEnvironmentDocument } from './resources.ts';
import { keySchema } from '../projections/api-keys/api-keys.ts';
import { environmentPath } from './parameters.ts';

export const listEnvironmentKeys = defineQuery({
  name: 'ListEnvironmentKeys',
  summary: 'Lists the API keys of an environment, revoked ones too.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: environmentPath,
  search: keyListSearch,
  paged: true,
  response: z.array(keySchema),
  async answer({ path, search }, context) {
    const { key } = await getEnvironmentDocument(context, path.id);
    return await readKeyPage(context, Number(key), search);
  },
});
