import { z } from 'zod';
import { merchants } from '../projections/merchants/merchants.ts';
import { checkKnownAt, knownAtSearch } from './history/known-at.ts';
import { asKnownAt } from './history/past.ts';
import { merchantSeenBy, merchantText } from './merchant-privacy.ts';
import { defineQuery } from './query.ts';
import { showable } from './reading.ts';
import { merchantNamed } from './resources.ts';
import { merchantPath, merchantShape } from './shapes.ts';

export const getMerchant = defineQuery({
  name: 'GetMerchant',
  summary:
    'Reads one merchant, as it is or as it was known at a moment; private fields are null for the keys of other merchants.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: merchantPath,
  search: z.strictObject(knownAtSearch),
  paged: false,
  response: merchantShape,
  async answer({ path, search: { known_at } }, context) {
    checkKnownAt(known_at, context);
    const stored = await merchantNamed(context, path.merchant_id);
    const { reader } = context;
    const body =
      known_at === undefined
        ? merchantText(reader, showable(stored, 'merchant_not_found'))
        : JSON.stringify(merchantSeenBy(reader, (await asKnownAt(context, merchants, stored, known_at)).document));
    return { kind: 'resource', body, etag: undefined };
  },
});
