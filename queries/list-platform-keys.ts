import { z } from 'zod';
import { keyListSearch, keyShape, readKeyPage } from './key-lists.ts';
import { defineQuery } from './query.ts';

export const listPlatformKeys = defineQuery({
  name: 'ListPlatformKeys',
  summary: 'Lists the API keys of the platform, revoked ones too.',
  roles: ['admin', 'auditor'],
  pathParameters: z.strictObject({}),
  search: keyListSearch,
  paged: true,
  response: z.array(keyShape),
  answer: async ({ search }, context) => await readKeyPage(context, null, search),
});
