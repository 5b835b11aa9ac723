import type { MerchantDocument } from '../projections/merchants/merchants.ts';
import type { StoredDocument } from '../src/read-models/read-models.ts';
import type { Reader } from './query.ts';
import { contentOf } from './reading.ts';

/** What nobody but the merchant itself and the platform sees (`decisions`: Keys, roles, tenancy). */
const PRIVATE = {
  tenant_id: null,
  user: null,
  business_email: null,
  tax_identification_number: null,
  registration_number: null,
  address: null,
};

/** The JSON text of a merchant as this reader may see it. */
export function merchantText(reader: Reader, document: StoredDocument): string {
  return JSON.stringify(merchantSeenBy(reader, contentOf(document) as MerchantDocument));
}

/** The merchant as this reader may see it. */
export function merchantSeenBy(reader: Reader, merchant: MerchantDocument): object {
  const isForeign = reader.role === 'merchant' && merchant.tenant_id !== reader.merchantId;
  return isForeign ? { ...merchant, ...PRIVATE } : merchant;
}
