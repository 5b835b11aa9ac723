import type { Moment } from '../../src/event-sourcing/time.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import type { Visibility } from '../../src/domain/values/world.ts';
import { audienceOf } from '../../src/domain/audience.ts';
import { type Pricing, pricingOf } from '../../src/domain/product/pricing.ts';
import { type ProductEvent, type ProductState, product } from '../../src/domain/product/product.ts';
import { defineProjection } from '../projection.ts';

export interface CoverageResource {
  readonly coverage_id: string;
  readonly coverage_name: string;
  readonly coverage_description: string | null;
  readonly coverage_type: string | null;
  readonly coverage_limit: string | null;
}

/** The fields of a product's list item and detail, and the state to which its next event is applied. */
export interface ProductDocument {
  readonly id: string;
  readonly created_at: Moment;
  readonly updated_at: Moment;
  readonly is_trashed: boolean;
  readonly trashed_at: Moment | null;
  readonly restored_at: Moment | null;
  readonly name: string;
  readonly description: string;
  readonly product_type: string;
  /** Names of the coverages joined by `, `; null when it has none. */
  readonly coverage_details: string | null;
  readonly is_live: boolean;
  readonly provider_id: string;
  readonly coverages: readonly CoverageResource[];
  readonly base_premium: string;
  readonly origin_product_id: number | null;
  readonly product_plan: string | null;
  readonly pricing: Pricing;
  /** The worlds in which it is visible. */
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
    visible_to: audienceOf(state),
    // Lists show a merchant what is on sale, and everything that it alone sees.
    listed_to: state.merchantId !== null || (is_live && !is_trashed) ? audienceOf(state) : null,
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
    is_trashed: state.situation === 'withdrawn',
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
    })),
    base_premium: state.basePremium,
    origin_product_id: null,
    product_plan: state.productPlan,
    pricing: pricingOf(state.basePremium, state.rating),
    visibility: state.visibility,
  };
}
