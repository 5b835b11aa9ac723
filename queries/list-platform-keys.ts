import { z } from 'zod';
import { keyListSearch, readKeyPage } from './key-lists.ts';
import { defineQuery } from './query.ts';
import { keySchema } from '../projections/api-keys/api-keys.ts';

export const listPlatformKeys = defineQuery({
  name: 'ListPlatformKeys',
  summary: 'Lists the API keys of the platform, revoked ones too.',
  roles: ['admin', 'auditor'],
  pathParameters: z.strictObject({}),
  search: keyListSearch,
  paged: true,
  response: z.array(keySchema),
  answer: async ({ search }, context) => await readKeyPage(context, null, search),
});
