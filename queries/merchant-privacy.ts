import type { MerchantDocument } from '../projections/merchants/merchants.ts';
import type { StoredDocument } from '../src/read-models/read-models.ts';
import type { Reader } from './query.ts';
import { parseBody } from './stored-documents.ts';

/** Fields that only the merchant itself and the platform may see. */
const HIDDEN_FIELDS = {
  tenant_id: null,
  user: null,
  business_email: null,
  tax_identification_number: null,
  registration_number: null,
  address: null,
};

/** Returns the JSON text of a merchant without the fields that the reader may not see. */
export function merchantJson(reader: Reader, document: StoredDocument): string {
  return JSON.stringify(redactMerchant(reader, parseBody(document) as MerchantDocument));
}

/** Returns the merchant without the fields that the reader may not see. */
export function redactMerchant(reader: Reader, merchant: MerchantDocument): object {
  const isOtherMerchant = reader.role === 'merchant' && merchant.tenant_id !== reader.merchantId;
  return isOtherMerchant ? { ...merchant, ...HIDDEN_FIELDS } : merchant;
}
