import { z } from 'zod';
import { merchants } from '../projections/merchants/merchants.ts';
import { checkKnownAt, knownAtSearch } from './history/known-at.ts';
import { documentKnownAt } from './history/document-history.ts';
import { redactMerchant, merchantJson } from './merchant-privacy.ts';
import { defineQuery } from './query.ts';
import { requireReadable } from './stored-documents.ts';
import { getMerchantDocument } from './resources.ts';
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
    const stored = await getMerchantDocument(context, path.merchant_id);
    const { reader } = context;
    const body =
      known_at === undefined
        ? merchantJson(reader, requireReadable(stored, 'merchant_not_found'))
        : JSON.stringify(
            redactMerchant(reader, (await documentKnownAt(context, merchants, stored, known_at)).document),
          );
    return { kind: 'resource', body, etag: undefined };
  },
});
