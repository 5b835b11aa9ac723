import { z } from 'zod';
import { type Instant, instant } from '#event-sourcing/time.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { normalise } from '#event-sourcing/identifiers.ts';
import type { MerchantDetails, MerchantEvent } from '#domain/merchant/merchant.ts';
import { defineProjection, requireDocument } from '../projection.ts';
import type { ResourceOf } from '../schema.ts';

/** A merchant as readers see it: the nullable members are private or not known. */
export const merchantSchema = z
  .strictObject({
    id: z.int(),
    created_at: instant,
    updated_at: instant,
    name: z.string().max(255),
    tenant_id: z.uuid().nullable(),
    is_trashed: z.boolean(),
    trashed_at: instant.nullable(),
    restored_at: instant.nullable(),
    short_code: z.string().max(10).nullable(),
    business_email: z.string().max(254).nullable(),
    support_email: z.string().max(254).nullable(),
    is_active: z.boolean().meta({ description: 'Whether its e-mail is verified' }),
    tax_identification_number: z.string().max(40).nullable(),
    registration_number: z.string().max(40).nullable(),
    address: z.string().nullable(),
    kyc_verified: z.boolean().meta({ description: 'Whether the platform has checked it' }),
    user: z.uuid().nullable(),
  })
  .meta({ id: 'Merchant' });

/** A merchant with all its fields. Queries remove those that the reader may not see. */
export type MerchantDocument = ResourceOf<typeof merchantSchema> & {
  readonly [Field in 'tenant_id' | 'short_code' | 'business_email']: string;
};

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

function newMerchant(data: Registration, at: Instant): MerchantDocument {
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
