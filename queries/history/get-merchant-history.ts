import { z } from 'zod';
import { type MerchantDocument, merchants } from '../../projections/merchants/merchants.ts';
import { merchantStream } from '../../src/domain/merchant/merchant.ts';
import { paging } from '../lists.ts';
import { merchantSeenBy } from '../merchant-privacy.ts';
import { defineQuery } from '../query.ts';
import { visible } from '../reading.ts';
import { merchantNamed } from '../resources.ts';
import { merchantPath } from '../shapes.ts';
import { historyEntryShape, historyPage } from './history-page.ts';

export const getMerchantHistory = defineQuery({
  name: 'GetMerchantHistory',
  summary: 'Lists everything that happened to a merchant, oldest first; a merchant reads its own only.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: merchantPath,
  search: z.strictObject(paging),
  paged: true,
  showsPaging: true,
  response: z.array(historyEntryShape),
  async answer({ path, search }, context) {
    const { reader } = context;
    const stored = visible(
      await merchantNamed(context, path.merchant_id),
      'merchant_not_found',
      ({ key }) => reader.role !== 'merchant' || key === reader.merchantId,
    );
    const view = (document: MerchantDocument): object => merchantSeenBy(reader, document);
    const ownStream = merchantStream(stored.key);
    return await historyPage(context, { projection: merchants, ownStream, view }, stored, search);
  },
});
