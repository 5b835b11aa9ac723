import { z } from 'zod';
import type { MerchantEvent } from '../../domain/merchant/merchant.ts';
import type { ProviderEvent } from '../../domain/provider/provider.ts';
import { definePublicEvent, publicEvent, snakeCase, type Translations } from './definition.ts';
import { fields } from './fields.ts';

const ofMerchant = { effective_at: fields.effectiveAt, tenant_id: fields.tenantId };

export const MerchantRegisteredPublic = definePublicEvent(
  'merchants',
  'surety.merchant.registered.v1',
  'A merchant was registered.',
  {
    ...ofMerchant,
    merchant_id: z.int().describe('The number that the API shows as id.'),
    short_code: z.string(),
  },
);
export const MerchantUpdatedPublic = definePublicEvent(
  'merchants',
  'surety.merchant.updated.v1',
  'Details of a merchant have changed.',
  { ...ofMerchant, changed: fields.changed },
);
export const MerchantVerifiedPublic = definePublicEvent(
  'merchants',
  'surety.merchant.verified.v1',
  'A merchant has verified its e-mail address (is_active).',
  ofMerchant,
);

export const MERCHANT_EVENTS = [MerchantRegisteredPublic, MerchantUpdatedPublic, MerchantVerifiedPublic];

/** A merchant has live and test environments, so its events are published for both. */
export const merchantTranslations: Translations<MerchantEvent> = {
  MerchantRegistered: ({ data: { effectiveAt, tenantId, merchantId, shortCode } }) =>
    publicEvent(MerchantRegisteredPublic, tenantId, 'both', {
      effective_at: effectiveAt,
      tenant_id: tenantId,
      merchant_id: merchantId,
      short_code: shortCode,
    }),
  MerchantUpdated: ({ data: { effectiveAt, tenantId, changes } }) =>
    publicEvent(MerchantUpdatedPublic, tenantId, 'both', {
      effective_at: effectiveAt,
      tenant_id: tenantId,
      changed: Object.keys(changes).map(snakeCase),
    }),
  MerchantVerified: ({ data: { effectiveAt, tenantId } }) =>
    publicEvent(MerchantVerifiedPublic, tenantId, 'both', { effective_at: effectiveAt, tenant_id: tenantId }),
  MerchantKycConfirmed: undefined,
  MerchantVerificationRequested: undefined,
};

const ofProvider = {
  effective_at: fields.effectiveAt,
  provider_id: fields.providerId,
  visibility: fields.visibility,
};

export const ProviderRegisteredPublic = definePublicEvent(
  'providers',
  'surety.provider.registered.v1',
  'An insurer was registered.',
  { ...ofProvider, tenant_id: fields.onlyMerchant, name: z.string() },
);
export const ProviderUpdatedPublic = definePublicEvent(
  'providers',
  'surety.provider.updated.v1',
  'Details of an insurer have changed.',
  { ...ofProvider, changed: fields.changed },
);

export const PROVIDER_EVENTS = [ProviderRegisteredPublic, ProviderUpdatedPublic];

export const providerTranslations: Translations<ProviderEvent> = {
  ProviderRegistered: ({ data: { effectiveAt, providerId, visibility, merchantId, name } }) =>
    publicEvent(ProviderRegisteredPublic, providerId, visibility, {
      effective_at: effectiveAt,
      provider_id: providerId,
      visibility,
      tenant_id: merchantId,
      name,
    }),
  ProviderUpdated: ({ data: { effectiveAt, providerId, visibility, changes } }) =>
    publicEvent(ProviderUpdatedPublic, providerId, visibility, {
      effective_at: effectiveAt,
      provider_id: providerId,
      visibility,
      changed: Object.keys(changes).map(snakeCase),
    }),
};
