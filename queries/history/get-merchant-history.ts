import { z } from 'zod';
import { type MerchantDocument, merchants } from '../../projections/merchants/merchants.ts';
import { merchantStream } from '../../src/domain/merchant/merchant.ts';
import { paging } from '../lists.ts';
import { redactMerchant } from '../merchant-privacy.ts';
import { defineQuery } from '../query.ts';
import { requireVisible } from '../stored-documents.ts';
import { getMerchantDocument } from '../resources.ts';
import { merchantPath } from '../shapes.ts';
import { historyEntryShape, readHistoryPage } from './history-page.ts';

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
    const stored = requireVisible(
      await getMerchantDocument(context, path.merchant_id),
      'merchant_not_found',
      ({ key }) => reader.role !== 'merchant' || key === reader.merchantId,
    );
    const toResource = (document: MerchantDocument): object => redactMerchant(reader, document);
    const ownStream = merchantStream(stored.key);
    return await readHistoryPage(context, { projection: merchants, ownStream, toResource }, stored, search);
  },
});
