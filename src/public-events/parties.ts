import { z } from 'zod';
import {
  type MerchantEvent,
  MerchantRegistered,
  MerchantUpdated,
  MerchantVerified,
} from '#domain/merchant/merchant.ts';
import {
  ProviderConfirmed,
  type ProviderEvent,
  ProviderRegistered,
  ProviderUpdated,
  ProviderWithdrawn,
} from '#domain/provider/provider.ts';
import { visibility } from '#domain/values/mode.ts';
import { fields, namesOf, publicEvent, type PublicEventsOf } from './definition.ts';

const ofMerchant = { effective_at: fields.effectiveAt, tenant_id: fields.tenantId };

/** A merchant has live and test environments, so its events are published for both. */
export const merchants: PublicEventsOf<MerchantEvent> = {
  subject: 'merchants',
  aggregateIdOf: ({ tenantId }) => tenantId,
  visibilityOf: () => 'both',
  events: {
    MerchantRegistered: publicEvent(
      'surety.merchant.registered.v1',
      MerchantRegistered.description,
      {
        ...ofMerchant,
        merchant_id: MerchantRegistered.schema.shape.merchantId,
        short_code: z.string().describe('The code of the merchant in paths of the API.'),
      },
      ({ data: { effectiveAt, tenantId, merchantId, shortCode } }) => ({
        effective_at: effectiveAt,
        tenant_id: tenantId,
        merchant_id: merchantId,
        short_code: shortCode,
      }),
    ),
    MerchantUpdated: publicEvent(
      'surety.merchant.updated.v1',
      MerchantUpdated.description,
      { ...ofMerchant, changed: fields.changed },
      ({ data: { effectiveAt, tenantId, changes } }) => ({
        effective_at: effectiveAt,
        tenant_id: tenantId,
        changed: namesOf(changes),
      }),
    ),
    MerchantVerified: publicEvent(
      'surety.merchant.verified.v1',
      MerchantVerified.description,
      ofMerchant,
      ({ data: { effectiveAt, tenantId } }) => ({ effective_at: effectiveAt, tenant_id: tenantId }),
    ),
  },
};

const ofProvider = { effective_at: fields.effectiveAt, provider_id: fields.providerId, visibility };

const idsOf = (data: ProviderEvent['data']) => ({
  effective_at: data.effectiveAt,
  provider_id: data.providerId,
  visibility: data.visibility,
});

export const providers: PublicEventsOf<ProviderEvent> = {
  subject: 'providers',
  aggregateIdOf: ({ providerId }) => providerId,
  visibilityOf: (data) => data.visibility,
  events: {
    ProviderRegistered: publicEvent(
      'surety.provider.registered.v1',
      ProviderRegistered.description,
      {
        ...ofProvider,
        tenant_id: ProviderRegistered.schema.shape.merchantId,
        name: z.string().describe('The name of the insurer.'),
      },
      ({ data }) => ({ ...idsOf(data), tenant_id: data.merchantId, name: data.name }),
    ),
    ProviderUpdated: publicEvent(
      'surety.provider.updated.v1',
      ProviderUpdated.description,
      { ...ofProvider, changed: fields.changed },
      ({ data }) => ({ ...idsOf(data), changed: namesOf(data.changes) }),
    ),
    ProviderConfirmed: publicEvent(
      'surety.provider.confirmed.v1',
      ProviderConfirmed.description,
      ofProvider,
      ({ data }) => idsOf(data),
    ),
    ProviderWithdrawn: publicEvent(
      'surety.provider.withdrawn.v1',
      ProviderWithdrawn.description,
      ofProvider,
      ({ data }) => idsOf(data),
    ),
  },
};
