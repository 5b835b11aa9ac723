import { type MerchantDocument, merchants } from '../../projections/merchants/merchants.ts';
import { redactMerchant } from '../merchant-privacy.ts';
import { requireVisible } from '../stored-documents.ts';
import { getMerchantDocument } from '../resources.ts';
import { merchantPath } from '../parameters.ts';
import { defineHistory } from './define-history.ts';
import { historyOf } from './history-page.ts';

export const getMerchantHistory = defineHistory({
  name: 'GetMerchantHistory',
  summary: 'Lists everything that happened to a merchant, oldest first; a merchant reads its own only.',
  pathParameters: merchantPath,
  search: {},
  read: async ({ path }, context) => {
    const { reader } = context;
    const stored = requireVisible(
      await getMerchantDocument(context, path.short_code),
      'merchant_not_found',
      ({ key }) => reader.role !== 'merchant' || key === reader.merchantId,
    );
    const toResource = (document: MerchantDocument): object => redactMerchant(reader, document);
    return historyOf(context, { projection: merchants, toResource }, stored);
  },
});
