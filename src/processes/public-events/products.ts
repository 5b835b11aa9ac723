import { z } from 'zod';
import type { ProductEvent } from '../../domain/product/product.ts';
import { definePublicEvent, publicEvent, snakeCase, type Translations } from './definition.ts';
import { uuid } from '../../event-sourcing/identifiers.ts';
import { amount, fields } from './fields.ts';

const ids = {
  effective_at: fields.effectiveAt,
  product_id: fields.productId,
  provider_id: fields.providerId,
  visibility: fields.visibility,
};

const onlyMerchant = uuid
  .nullable()
  .describe('The only merchant that sees it; null: every merchant that sees its insurer.');
const isLive = z.boolean().describe('Whether the product is offered in quotes, unless it is withdrawn.');

export const ProductAddedPublic = definePublicEvent('products', 'surety.product.added.v1', 'A product was added.', {
  ...ids,
  tenant_id: onlyMerchant,
  name: z.string(),
  product_type: z.string(),
  currency: fields.currency,
  base_premium: amount('Premium for 365 days before rating.'),
  renewable: z.boolean(),
  is_live: isLive,
});
export const ProductUpdatedPublic = definePublicEvent(
  'products',
  'surety.product.updated.v1',
  'A product has changed. base_premium and is_live are null when they have not changed.',
  {
    ...ids,
    changed: fields.changed,
    base_premium: amount('The new base premium.').nullable(),
    is_live: isLive.nullable(),
  },
);
export const ProductWithdrawnPublic = definePublicEvent(
  'products',
  'surety.product.withdrawn.v1',
  'A product was withdrawn and is no longer offered in quotes.',
  ids,
);
export const ProductRestoredPublic = definePublicEvent(
  'products',
  'surety.product.restored.v1',
  'A withdrawn product is offered again.',
  ids,
);

export const PRODUCT_EVENTS = [ProductAddedPublic, ProductUpdatedPublic, ProductWithdrawnPublic, ProductRestoredPublic];

const idsOf = ({ effectiveAt, productId, providerId, visibility }: ProductEvent['data']) => ({
  effective_at: effectiveAt,
  product_id: productId,
  provider_id: providerId,
  visibility,
});

export const productTranslations: Translations<ProductEvent> = {
  ProductAdded: ({ data }) =>
    publicEvent(ProductAddedPublic, data.productId, data.visibility, {
      ...idsOf(data),
      tenant_id: data.merchantId,
      name: data.name,
      product_type: data.productType,
      currency: data.currency,
      base_premium: data.basePremium,
      renewable: data.renewable,
      is_live: data.isLive,
    }),
  ProductUpdated: ({ data }) =>
    publicEvent(ProductUpdatedPublic, data.productId, data.visibility, {
      ...idsOf(data),
      changed: Object.keys(data.changes).map(snakeCase),
      base_premium: data.changes.basePremium ?? null,
      is_live: data.changes.isLive ?? null,
    }),
  ProductWithdrawn: ({ data }) => publicEvent(ProductWithdrawnPublic, data.productId, data.visibility, idsOf(data)),
  ProductRestored: ({ data }) => publicEvent(ProductRestoredPublic, data.productId, data.visibility, idsOf(data)),
};
