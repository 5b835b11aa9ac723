import { z } from 'zod';
import { pageOf, paging } from './lists.ts';
import { merchantText } from './merchant-privacy.ts';
import { defineQuery } from './query.ts';
import { merchantShape } from './shapes.ts';

export const listMerchants = defineQuery({
  name: 'ListMerchants',
  summary: 'Lists merchants; private fields are null for the keys of other merchants.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: z.strictObject({}),
  search: z.strictObject(paging),
  paged: true,
  response: z.array(merchantShape),
  async answer({ search }, context) {
    return await pageOf(context, 'merchants', search, (document) => merchantText(context.reader, document));
  },
});
