import { z } from 'zod';
import { type ProviderDocument, providerSchema } from '#projections/providers/providers.ts';
import { caseFoldedName } from '#domain/provider/provider.ts';
import type { StoredDocument } from '#stores/read-models/read-models.ts';
import { visibilityCondition, linkedPaging, readPage, testModeSearch } from './lists.ts';
import { defineQuery, EVERY_ROLE } from './query.ts';
import { parseBody } from './resources.ts';

const listSearch = { ...linkedPaging, ...testModeSearch };

export const listInsurers = defineQuery({
  name: 'ListInsurers',
  roles: EVERY_ROLE,
  summary: 'Lists insurance providers.',
  description:
    'All insurers visible to the key: those of the platform, those that merchants registered in the same mode (live or test) and the platform confirmed, and those that the merchant itself registered or imported in this mode. Withdrawn insurers are shown to platform keys only.',
  errors: [],
  search: z.strictObject(listSearch),
  paged: true,
  response: z.array(providerSchema),
  async respond({ search }, context) {
    const where = visibilityCondition(context.reader, search, 'visible_to');
    return await readPage(context, 'providers', { ...search, where }, toItem);
  },
});

const name = z
  .string('must be given')
  .transform(caseFoldedName)
  .refine((text) => text !== '', 'must not be empty')
  .meta({ description: 'Part of the name; case does not matter' });

export const searchProviders = defineQuery({
  name: 'SearchProviders',
  roles: EVERY_ROLE,
  summary: 'Finds insurance providers by a part of their name.',
  description:
    'Insurers whose name contains the text, without regard to case, full-width letters and invisible characters. An empty name is refused.',
  errors: [],
  example: { search: { name: 'baobab' } },
  search: z.strictObject({ name, ...listSearch }),
  paged: true,
  response: z.array(providerSchema),
  async respond({ search }, context) {
    const where = visibilityCondition(context.reader, search, 'visible_to');
    return await readPage(context, 'providers', { ...search, where, contains: { folded_name: search.name } }, toItem);
  },
});

function toItem(stored: StoredDocument): string {
  const { id, name, address, phone_number, merchant_id, withdrawn_at } = parseBody(stored) as ProviderDocument;
  const item = { id, name, address, phone_number, is_confirmed: merchant_id === null, withdrawn_at };
  return JSON.stringify(item satisfies z.infer<typeof providerSchema>);
}
