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
import { fields, namesOf, publicEventsWith, type PublicEventsOf } from './definition.ts';

const merchantEvent = publicEventsWith(
  { effective_at: fields.effectiveAt, tenant_id: fields.tenantId },
  ({ effectiveAt, tenantId }: MerchantEvent['data']) => ({ effective_at: effectiveAt, tenant_id: tenantId }),
);

/** A merchant has live and test environments, so its events are published for both. */
export const merchants: PublicEventsOf<MerchantEvent> = {
  subject: 'merchants',
  aggregateIdOf: ({ tenantId }) => tenantId,
  visibilityOf: () => 'both',
  events: {
    MerchantRegistered: merchantEvent(
      'surety.merchant.registered.v1',
      MerchantRegistered.description,
      {
        merchant_id: MerchantRegistered.schema.shape.merchantId,
        short_code: MerchantRegistered.schema.shape.shortCode,
      },
      ({ data }) => ({ merchant_id: data.merchantId, short_code: data.shortCode }),
    ),
    MerchantUpdated: merchantEvent(
      'surety.merchant.updated.v1',
      MerchantUpdated.description,
      { changed: fields.changed },
      ({ data }) => ({ changed: namesOf(data.changes) }),
    ),
    MerchantVerified: merchantEvent('surety.merchant.verified.v1', MerchantVerified.description, {}, () => ({})),
  },
};

const providerEvent = publicEventsWith(
  { effective_at: fields.effectiveAt, provider_id: fields.providerId, visibility },
  (data: ProviderEvent['data']) => ({
    effective_at: data.effectiveAt,
    provider_id: data.providerId,
    visibility: data.visibility,
  }),
);

export const providers: PublicEventsOf<ProviderEvent> = {
  subject: 'providers',
  aggregateIdOf: ({ providerId }) => providerId,
  visibilityOf: (data) => data.visibility,
  events: {
    ProviderRegistered: providerEvent(
      'surety.provider.registered.v1',
      ProviderRegistered.description,
      {
        tenant_id: ProviderRegistered.schema.shape.merchantId,
        name: z.string().describe('The name of the insurer.'),
      },
      ({ data }) => ({ tenant_id: data.merchantId, name: data.name }),
    ),
    ProviderUpdated: providerEvent(
      'surety.provider.updated.v1',
      ProviderUpdated.description,
      { changed: fields.changed },
      ({ data }) => ({ changed: namesOf(data.changes) }),
    ),
    ProviderConfirmed: providerEvent('surety.provider.confirmed.v1', ProviderConfirmed.description, {}, () => ({})),
    ProviderWithdrawn: providerEvent('surety.provider.withdrawn.v1', ProviderWithdrawn.description, {}, () => ({})),
  },
};
