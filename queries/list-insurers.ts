import { z } from 'zod';
import { type ProviderDocument, providerSchema } from '../projections/providers/providers.ts';
import { audienceCondition, readPage, linkedPaging, worldChoice } from './lists.ts';
import { toProviderItem } from './product-resources.ts';
import { defineQuery } from './query.ts';
import { parseBody } from './stored-documents.ts';

export const listInsurers = defineQuery({
  name: 'ListInsurers',
  summary: 'Lists insurance providers.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: z.strictObject({}),
  search: z.strictObject({ ...linkedPaging, ...worldChoice }),
  paged: true,
  response: z.array(providerSchema),
  async answer({ search }, context) {
    const where = audienceCondition(context.reader, search, 'visible_to');
    return await readPage(context, 'providers', { ...search, where }, (document) =>
      JSON.stringify(toProviderItem(parseBody(document) as ProviderDocument)),
    );
  },
});
