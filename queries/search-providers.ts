import { z } from 'zod';
import { type ProviderDocument, providerSchema } from '../projections/providers/providers.ts';
import { comparedName } from '../src/domain/provider/provider-name.ts';
import { audienceCondition, readPage, linkedPaging, worldChoice } from './lists.ts';
import { toProviderItem } from './product-resources.ts';
import { defineQuery } from './query.ts';
import { parseBody } from './stored-documents.ts';

const name = z
  .string('must be given')
  .transform(comparedName)
  .refine((text) => text !== '', 'must not be empty')
  .meta({ description: 'Part of the name; case does not matter' });

export const searchProviders = defineQuery({
  name: 'SearchProviders',
  summary: 'Finds insurance providers by a part of their name.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: z.strictObject({}),
  search: z.strictObject({ name, ...linkedPaging, ...worldChoice }),
  paged: true,
  response: z.array(providerSchema),
  async answer({ search }, context) {
    const where = audienceCondition(context.reader, search, 'visible_to');
    const contains = { folded_name: search.name };
    return await readPage(context, 'providers', { ...search, where, contains }, (document) =>
      JSON.stringify(toProviderItem(parseBody(document) as ProviderDocument)),
    );
  },
});
