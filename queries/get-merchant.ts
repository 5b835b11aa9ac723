import { z } from 'zod';
import { normalised } from '../src/domain/identifiers.ts';
import { merchantText } from './merchant-privacy.ts';
import { defineQuery } from './query.ts';
import { shown } from './reading.ts';
import { merchantShape } from './shapes.ts';

export const getMerchant = defineQuery({
  name: 'GetMerchant',
  summary: 'Reads one merchant; private fields are null for the keys of other merchants.',
  path: '/api/v1/merchants/:merchant_id',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: z.strictObject({ merchant_id: z.string().meta({ description: "The merchant's short code" }) }),
  search: z.strictObject({}),
  paged: false,
  response: merchantShape,
  async answer({ path }, context) {
    const where = { short_code: normalised(path.merchant_id) };
    const { documents } = await context.readModels.find('merchants', { where, limit: 1, offset: 0 });
    const document = shown(documents[0], 'merchant_not_found', () => true);
    return { kind: 'resource', body: merchantText(context.reader, document), etag: undefined };
  },
});
