import { z } from 'zod';
import {
  ProductAdded,
  type ProductEvent,
  ProductRestored,
  ProductUpdated,
  ProductWithdrawn,
} from '#domain/product/product.ts';
import { visibility } from '#domain/values/mode.ts';
import { fields, namesOf, publicEventsWith, type PublicEventsOf } from './definition.ts';

const ids = {
  effective_at: fields.effectiveAt,
  product_id: fields.productId,
  provider_id: fields.providerId,
  visibility,
};

const added = ProductAdded.schema.shape;

const publicEvent = publicEventsWith(ids, (data: ProductEvent['data']) => ({
  effective_at: data.effectiveAt,
  product_id: data.productId,
  provider_id: data.providerId,
  visibility: data.visibility,
}));

export const products: PublicEventsOf<ProductEvent> = {
  subject: 'products',
  aggregateIdOf: ({ productId }) => productId,
  visibilityOf: (data) => data.visibility,
  events: {
    ProductAdded: publicEvent(
      'surety.product.added.v1',
      ProductAdded.description,
      {
        tenant_id: added.merchantId,
        name: z.string().describe('The name of the product.'),
        product_type: fields.productType,
        currency: fields.currency,
        base_premium: added.basePremium,
        renewable: added.renewable,
        is_live: added.isLive,
      },
      ({ data }) => ({
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
      ProductUpdated.description,
      {
        changed: fields.changed,
        base_premium: added.basePremium.nullable().describe('The new base premium; null: as before.'),
        is_live: added.isLive.nullable().describe('Whether it is now offered in quotes; null: as before.'),
      },
      ({ data }) => ({
        changed: namesOf(data.changes),
        base_premium: data.changes.basePremium ?? null,
        is_live: data.changes.isLive ?? null,
      }),
    ),
    ProductWithdrawn: publicEvent('surety.product.withdrawn.v1', ProductWithdrawn.description, {}, () => ({})),
    ProductRestored: publicEvent('surety.product.restored.v1', ProductRestored.description, {}, () => ({})),
  },
};
