import type { Moment } from '../../src/event-sourcing/time.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import { normalise } from '../../src/event-sourcing/identifiers.ts';
import type { MerchantDetails, MerchantEvent } from '../../src/domain/merchant/merchant.ts';
import { defineProjection, requireDocument } from '../projection.ts';

/** A merchant with all its fields. Queries remove those that the reader may not see. */
export interface MerchantDocument {
  readonly id: number;
  readonly created_at: Moment;
  readonly updated_at: Moment;
  readonly name: string;
  readonly tenant_id: string;
  readonly is_trashed: boolean;
  readonly trashed_at: Moment | null;
  readonly restored_at: Moment | null;
  readonly short_code: string;
  readonly business_email: string;
  readonly support_email: string | null;
  readonly is_active: boolean;
  readonly tax_identification_number: string | null;
  readonly registration_number: string | null;
  readonly address: string | null;
  readonly kyc_verified: boolean;
  readonly user: string | null;
}

/** Merchants by tenant id. The index `short_code` holds the normalised code, as its reservation does. */
export const merchants = defineProjection<MerchantDocument>({
  name: 'merchants',
  version: 1,
  categories: ['merchant'],
  indexNames: ['short_code', 'tenant'],
  fold: (document, event) => fold(document, event as RecordedEvent<MerchantEvent>),
  indexes: (document) => ({ short_code: normalise(document.short_code), tenant: document.tenant_id }),
});

function fold(document: MerchantDocument | undefined, event: RecordedEvent<MerchantEvent>): MerchantDocument {
  const at = event.metadata.recordedAt;
  switch (event.type) {
    case 'MerchantRegistered':
      return newMerchant(event.data, at);
    case 'MerchantUpdated':
      return { ...requireDocument(document, event), ...toFields(event.data.changes), updated_at: at };
    case 'MerchantKycConfirmed':
      return { ...requireDocument(document, event), kyc_verified: true, updated_at: at };
    case 'MerchantVerificationRequested':
      return requireDocument(document, event);
    case 'MerchantVerified':
      return { ...requireDocument(document, event), is_active: true, updated_at: at };
    default:
      return event satisfies never;
  }
}

type Registration = Extract<MerchantEvent, { readonly type: 'MerchantRegistered' }>['data'];

function newMerchant(data: Registration, at: Moment): MerchantDocument {
  return {
    id: data.merchantId,
    created_at: at,
    updated_at: at,
    name: data.name,
    tenant_id: data.tenantId,
    is_trashed: false,
    trashed_at: null,
    restored_at: null,
    short_code: data.shortCode,
    business_email: data.businessEmail,
    support_email: data.supportEmail,
    is_active: false,
    tax_identification_number: data.taxIdentificationNumber,
    registration_number: data.registrationNumber,
    address: data.address,
    kyc_verified: false,
    user: null,
  };
}

/** The changed fields by their names in the API. */
function toFields(changes: Changes): Partial<MerchantDocument> {
  return {
    ...(changes.name !== undefined && { name: changes.name }),
    ...(changes.businessEmail !== undefined && { business_email: changes.businessEmail }),
    ...(changes.supportEmail !== undefined && { support_email: changes.supportEmail }),
    ...(changes.address !== undefined && { address: changes.address }),
    ...(changes.taxIdentificationNumber !== undefined && {
      tax_identification_number: changes.taxIdentificationNumber,
    }),
    ...(changes.registrationNumber !== undefined && { registration_number: changes.registrationNumber }),
  };
}

type Changes = { readonly [Field in keyof MerchantDetails]?: MerchantDetails[Field] | undefined };
