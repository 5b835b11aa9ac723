import { z } from 'zod';
import { merchants, merchantSchema } from '../projections/merchants/merchants.ts';
import { documentAt } from './history/past-document.ts';
import { pointInTimeOf, pointInTimeSearch } from './history/point-in-time.ts';
import { redactMerchant, merchantJson } from './merchant-privacy.ts';
import { defineQuery } from './query.ts';
import { entityTagOf, hashOf, requireReadable } from './stored-documents.ts';
import { getMerchantDocument } from './resources.ts';
import { merchantPath } from './parameters.ts';

export const getMerchant = defineQuery({
  name: 'GetMerchant',
  summary:
    'Reads one merchant, as it is, as of a day or as it was known at a moment; private fields are null for the keys of other merchants.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: merchantPath,
  search: z.strictObject(pointInTimeSearch),
  paged: false,
  response: merchantSchema,
  async answer({ path, search }, context) {
    const pointInTime = await pointInTimeOf(search, context);
    const stored = await getMerchantDocument(context, path.short_code);
    const { reader } = context;
    if (pointInTime !== undefined) {
      const merchant = await documentAt(context, merchants, stored, pointInTime);
      return { kind: 'resource', body: JSON.stringify(redactMerchant(reader, merchant)), etag: undefined };
    }
    const body = merchantJson(reader, requireReadable(stored, 'merchant_not_found'));
    const etag = entityTagOf(context, 'merchants', stored, hashOf(body));
    return { kind: 'resource', body, etag };
  },
});
