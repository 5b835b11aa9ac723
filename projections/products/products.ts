import { z } from 'zod';
import { instant } from '#event-sourcing/time.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import type { Visibility } from '#domain/values/mode.ts';
import { visibilityScope } from '#domain/visibility.ts';
import { pricingOf, PRODUCT_TYPES, type ProductEvent, type ProductState, product } from '#domain/product/product.ts';
import { defineProjection } from '../projection.ts';
import { money } from '#domain/values/money.ts';
import type { ResourceOf } from '../schema.ts';

const sharedFields = {
  id: z.uuid(),
  created_at: instant,
  updated_at: instant,
  is_trashed: z.boolean(),
  trashed_at: instant.nullable(),
  restored_at: instant.nullable(),
  name: z.string().max(255),
  description: z.string(),
  product_type: z.enum(PRODUCT_TYPES),
  is_live: z.boolean(),
};

export const productItemSchema = z
  .strictObject({
    ...sharedFields,
    coverage_details: z.string().nullable(),
    provider: z.uuid(),
  })
  .meta({ id: 'ProductItem' });

export const productSchema = z
  .strictObject({
    ...sharedFields,
    coverages: z.array(
      z.strictObject({
        coverage_id: z.string(),
        coverage_name: z.string(),
        coverage_description: z.string().nullable(),
        coverage_type: z.string().nullable(),
        coverage_limit: money.nullable(),
        deductible: money.nullable(),
      }),
    ),
    provider: z.strictObject({
      provider_id: z.uuid(),
      provider_name: z.string().nullable(),
      email: z.string().nullable(),
    }),
    currency: z.string(),
    base_premium: money.meta({ description: 'Where prices start from, for a year' }),
    origin_product_id: z.int().nullable(),
    product_plan: z.string().max(255).nullable(),
    pricing: z
      .strictObject({ amount: money, tax: money, surcharges: money, total_price: money })
      .meta({ description: 'What a year costs without what depends on the risk, and without discount' }),
    eligibility: z.strictObject({ min_age: z.int().nullable(), max_age: z.int().nullable() }).meta({
      description: 'Ages in whole years, both inclusive, between which a person can be insured; null: no bound',
    }),
    cancellation: z
      .strictObject({ cooling_off_days: z.int(), refund_after_claim: z.boolean(), minimum_retained: money })
      .nullable()
      .meta({ description: 'What a cancellation returns; null: no rules of its own' }),
  })
  .meta({ id: 'Product' });

/** The fields of a product's list item and detail, and the state to which its next event is applied. */
export interface ProductDocument
  extends Omit<ResourceOf<typeof productSchema>, 'provider' | 'product_type'>,
    Pick<ResourceOf<typeof productItemSchema>, 'coverage_details'> {
  readonly product_type: string;
  readonly provider_id: string;
  /** The modes in which it is visible. */
  readonly visibility: Visibility;
  readonly state: ProductState;
}

/** Products by id. Only the provider's id is stored, because its name and e-mail can change. */
export const products = defineProjection<ProductDocument>({
  name: 'products',
  version: 1,
  categories: ['product'],
  indexNames: ['product_type', 'provider', 'visible_live', 'visible_test', 'on_sale', 'visible_to', 'listed_to'],
  fold: (document, event) => fold(document, event as RecordedEvent<ProductEvent>),
  indexes: ({ product_type, provider_id, visibility, is_live, is_trashed, state }) => ({
    product_type,
    provider: provider_id,
    visible_live: visibility !== 'test',
    visible_test: visibility !== 'live',
    visible_to: visibilityScope(state),
    // Lists show a merchant what is on sale, and everything that it alone sees.
    listed_to: state.merchantId !== null || (is_live && !is_trashed) ? visibilityScope(state) : null,
    on_sale: is_live && !is_trashed,
  }),
});

function fold(document: ProductDocument | undefined, event: RecordedEvent<ProductEvent>): ProductDocument {
  const state = product.evolve(document?.state, event);
  const at = event.metadata.recordedAt;
  return {
    id: state.productId,
    created_at: document?.created_at ?? at,
    updated_at: at,
    is_trashed: state.status === 'withdrawn',
    trashed_at: event.type === 'ProductWithdrawn' ? at : (document?.trashed_at ?? null),
    restored_at: event.type === 'ProductRestored' ? at : (document?.restored_at ?? null),
    ...toFields(state),
    state,
  };
}

function toFields(state: ProductState) {
  return {
    name: state.name,
    description: state.description,
    product_type: state.productType,
    coverage_details: state.coverages.length === 0 ? null : state.coverages.map(({ name }) => name).join(', '),
    is_live: state.isLive,
    provider_id: state.providerId,
    coverages: state.coverages.map((coverage) => ({
      coverage_id: coverage.coverageId,
      coverage_name: coverage.name,
      coverage_description: coverage.description,
      coverage_type: coverage.type,
      coverage_limit: coverage.limit,
      deductible: coverage.deductible,
    })),
    currency: state.currency,
    base_premium: state.basePremium,
    origin_product_id: null,
    product_plan: state.productPlan,
    pricing: pricingOf(state.basePremium, state.rating),
    eligibility: { min_age: state.eligibility.minAge, max_age: state.eligibility.maxAge },
    cancellation: state.cancellation && {
      cooling_off_days: state.cancellation.coolingOffDays,
      refund_after_claim: state.cancellation.refundAfterClaim,
      minimum_retained: state.cancellation.minimumRetained,
    },
    visibility: state.visibility,
  };
}
