import { z } from 'zod';
import type { ProductEvent } from '#domain/product/product.ts';
import { uuid } from '#event-sourcing/identifiers.ts';
import { amount, fields, namesOf, publicEvent, type PublicEventsOf } from './definition.ts';

const ids = {
  effective_at: fields.effectiveAt,
  product_id: fields.productId,
  provider_id: fields.providerId,
  visibility: fields.visibility,
};

const isLive = z.boolean().describe('Whether the product is offered in quotes, unless it is withdrawn.');

const idsOf = ({ effectiveAt, productId, providerId, visibility }: ProductEvent['data']) => ({
  effective_at: effectiveAt,
  product_id: productId,
  provider_id: providerId,
  visibility,
});

export const products: PublicEventsOf<ProductEvent> = {
  subject: 'products',
  aggregateIdOf: ({ productId }) => productId,
  visibilityOf: ({ visibility }) => visibility,
  events: {
    ProductAdded: publicEvent(
      'surety.product.added.v1',
      'A product was added.',
      {
        ...ids,
        tenant_id: uuid
          .nullable()
          .describe('The only merchant that sees it; null: every merchant that sees its insurer.'),
        name: z.string().describe('The name of the product.'),
        product_type: fields.productType,
        currency: fields.currency,
        base_premium: amount('Premium for 365 days before rating.'),
        renewable: fields.renewable,
        is_live: isLive,
      },
      ({ data }) => ({
        ...idsOf(data),
        tenant_id: data.merchantId,
        name: data.name,
        product_type: data.productType,
        currency: data.currency,
        base_premium: data.basePremium,
        renewable: data.renewable,
        is_live: data.isLive,
      }),
    ),
    ProductUpdated: publicEvent(
      'surety.product.updated.v1',
      'A product has changed. base_premium and is_live are null when they have not changed.',
      {
        ...ids,
        changed: fields.changed,
        base_premium: amount('The new base premium.').nullable(),
        is_live: isLive.nullable(),
      },
      ({ data }) => ({
        ...idsOf(data),
        changed: namesOf(data.changes),
        base_premium: data.changes.basePremium ?? null,
        is_live: data.changes.isLive ?? null,
      }),
    ),
    ProductWithdrawn: publicEvent(
      'surety.product.withdrawn.v1',
      'A product was withdrawn and is no longer offered in quotes.',
      ids,
      ({ data }) => idsOf(data),
    ),
    ProductRestored: publicEvent(
      'surety.product.restored.v1',
      'A withdrawn product is offered again.',
      ids,
      ({ data }) => idsOf(data),
    ),
  },
};
