import { z } from 'zod';
import type { MerchantEvent } from '#domain/merchant/merchant.ts';
import type { ProviderEvent } from '#domain/provider/provider.ts';
import { uuid } from '#event-sourcing/identifiers.ts';
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
      'A merchant was registered.',
      {
        ...ofMerchant,
        merchant_id: z.int().describe('The number that the API shows as id.'),
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
      'Details of a merchant have changed.',
      { ...ofMerchant, changed: fields.changed },
      ({ data: { effectiveAt, tenantId, changes } }) => ({
        effective_at: effectiveAt,
        tenant_id: tenantId,
        changed: namesOf(changes),
      }),
    ),
    MerchantVerified: publicEvent(
      'surety.merchant.verified.v1',
      'A merchant has verified its e-mail address (is_active).',
      ofMerchant,
      ({ data: { effectiveAt, tenantId } }) => ({ effective_at: effectiveAt, tenant_id: tenantId }),
    ),
  },
};

const ofProvider = {
  effective_at: fields.effectiveAt,
  provider_id: fields.providerId,
  visibility: fields.visibility,
};

const idsOf = ({ effectiveAt, providerId, visibility }: ProviderEvent['data']) => ({
  effective_at: effectiveAt,
  provider_id: providerId,
  visibility,
});

export const providers: PublicEventsOf<ProviderEvent> = {
  subject: 'providers',
  aggregateIdOf: ({ providerId }) => providerId,
  visibilityOf: ({ visibility }) => visibility,
  events: {
    ProviderRegistered: publicEvent(
      'surety.provider.registered.v1',
      'An insurer was registered.',
      {
        ...ofProvider,
        tenant_id: uuid
          .nullable()
          .describe('The only merchant that sees it until it is confirmed; null: every merchant sees it.'),
        name: z.string().describe('The name of the insurer.'),
      },
      ({ data }) => ({ ...idsOf(data), tenant_id: data.merchantId, name: data.name }),
    ),
    ProviderUpdated: publicEvent(
      'surety.provider.updated.v1',
      'Details of an insurer have changed.',
      { ...ofProvider, changed: fields.changed },
      ({ data }) => ({ ...idsOf(data), changed: namesOf(data.changes) }),
    ),
    ProviderConfirmed: publicEvent(
      'surety.provider.confirmed.v1',
      'An insurer that a merchant registered, and its products, are visible to every merchant.',
      ofProvider,
      ({ data }) => idsOf(data),
    ),
    ProviderWithdrawn: publicEvent(
      'surety.provider.withdrawn.v1',
      'An insurer was withdrawn: it is no longer listed, and its products are no longer offered in quotes. Its policies continue.',
      ofProvider,
      ({ data }) => idsOf(data),
    ),
  },
};
