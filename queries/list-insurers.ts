import { z } from 'zod';
import type { ProviderDocument } from '../projections/providers/providers.ts';
import { pageOf, paging, testModeOf, visibleIn, worldChoice } from './lists.ts';
import { toProviderItem } from './product-resources.ts';
import { defineQuery } from './query.ts';
import { contentOf } from './reading.ts';
import { providerShape } from './shapes.ts';

export const listInsurers = defineQuery({
  name: 'ListInsurers',
  summary: 'Lists insurance providers.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: z.strictObject({}),
  search: z.strictObject({ ...paging, ...worldChoice }),
  paged: true,
  response: z.array(providerShape),
  async answer({ search }, context) {
    const { limit, offset } = search;
    const where = { [visibleIn(testModeOf(context.reader, search))]: true };
    return await pageOf(context, 'providers', { where, limit, offset }, (document) =>
      JSON.stringify(toProviderItem(contentOf(document) as ProviderDocument)),
    );
  },
});
