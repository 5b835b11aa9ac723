import { z } from 'zod';
import type { MerchantEvent } from '../../domain/merchant/merchant.ts';
import type { ProviderEvent } from '../../domain/provider/provider.ts';
import { definePublicEvent, publicEvent, snakeCase, type Translations } from './definition.ts';
import { uuid } from '../../event-sourcing/identifiers.ts';
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

const onlyMerchant = uuid
  .nullable()
  .describe('The only merchant that sees it until it is confirmed; null: every merchant sees it.');

export const ProviderRegisteredPublic = definePublicEvent(
  'providers',
  'surety.provider.registered.v1',
  'An insurer was registered.',
  { ...ofProvider, tenant_id: onlyMerchant, name: z.string() },
);
export const ProviderUpdatedPublic = definePublicEvent(
  'providers',
  'surety.provider.updated.v1',
  'Details of an insurer have changed.',
  { ...ofProvider, changed: fields.changed },
);

export const ProviderConfirmedPublic = definePublicEvent(
  'providers',
  'surety.provider.confirmed.v1',
  'An insurer that a merchant registered, and its products, are visible to every merchant.',
  ofProvider,
);
export const ProviderWithdrawnPublic = definePublicEvent(
  'providers',
  'surety.provider.withdrawn.v1',
  'An insurer was withdrawn: it is no longer listed, and its products are no longer offered in quotes. Its policies continue.',
  ofProvider,
);

export const PROVIDER_EVENTS = [
  ProviderRegisteredPublic,
  ProviderUpdatedPublic,
  ProviderConfirmedPublic,
  ProviderWithdrawnPublic,
];

const idsOf = ({ effectiveAt, providerId, visibility }: ProviderEvent['data']) => ({
  effective_at: effectiveAt,
  provider_id: providerId,
  visibility,
});

export const providerTranslations: Translations<ProviderEvent> = {
  ProviderRegistered: ({ data }) =>
    publicEvent(ProviderRegisteredPublic, data.providerId, data.visibility, {
      ...idsOf(data),
      tenant_id: data.merchantId,
      name: data.name,
    }),
  ProviderUpdated: ({ data }) =>
    publicEvent(ProviderUpdatedPublic, data.providerId, data.visibility, {
      ...idsOf(data),
      changed: Object.keys(data.changes).map(snakeCase),
    }),
  ProviderConfirmed: ({ data }) => publicEvent(ProviderConfirmedPublic, data.providerId, data.visibility, idsOf(data)),
  ProviderWithdrawn: ({ data }) => publicEvent(ProviderWithdrawnPublic, data.providerId, data.visibility, idsOf(data)),
};
