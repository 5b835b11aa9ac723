import { z } from 'zod';
import { readPage, linkedPaging } from './lists.ts';
import { merchantJson } from './merchant-privacy.ts';
import { defineQuery } from './query.ts';
import { merchantSchema } from '../projections/merchants/merchants.ts';

export const listMerchants = defineQuery({
  name: 'ListMerchants',
  summary: 'Lists merchants; private fields are null for the keys of other merchants.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: z.strictObject({}),
  search: z.strictObject(linkedPaging),
  paged: true,
  response: z.array(merchantSchema),
  async answer({ search }, context) {
    return await readPage(context, 'merchants', search, (document) => merchantJson(context.reader, document));
  },
});
