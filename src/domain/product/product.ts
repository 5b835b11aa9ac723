import { z } from 'zod';
import type { Aggregate } from '#event-sourcing/aggregate.ts';
import { defineEvent, type EventOf, type RecordedEvent } from '#event-sourcing/event.ts';
import { uuid } from '#event-sourcing/identifiers.ts';
import type { VisibilityFields } from '../visibility.ts';
import { visibility } from '../values/mode.ts';
import { storedCancellationRules } from '../values/cancellation-rules.ts';
import { storedEligibility } from '../values/eligibility.ts';
import { storedMoney, parseMoney } from '../values/money.ts';
import { storedRating, type Rating, ratesOf } from '../values/rating.ts';
import { ofMoney } from '../values/fraction.ts';
import { netOf, priceOf, type Rates, YEAR_DAYS } from '../values/price.ts';

export const productStream = (productId: string): string => `product-${productId}`;

/** The types that the API offers. Events store a type as text, so that the list may change. */
export const PRODUCT_TYPES = [
  'Life',
  'Health',
  'Auto',
  'Cargo',
  'Gadget',
  'Travel',
  'Home',
  'Student_Protection',
  'Accident',
  'Personal_Accident',
  'CreditLife',
  'PetCare',
  'General',
  'Other',
] as const;
export type ProductType = (typeof PRODUCT_TYPES)[number];

const coverage = z.object({
  coverageId: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  type: z.string().nullable(),
  limit: storedMoney.nullable(),
  deductible: storedMoney.nullable(),
});
export type ProductCoverage = z.infer<typeof coverage>;

const tier = z.object({
  name: z.string(),
  basePremium: storedMoney,
  rating: storedRating.nullable(),
  coverages: z.array(coverage),
});

/** The ids in every event of a product, so that readers can route it by the event alone. */
const ids = { productId: uuid, providerId: uuid, visibility };

const details = {
  name: z.string(),
  description: z.string(),
  productType: z.string(),
  basePremium: storedMoney.describe('Premium for 365 days before rating.'),
  currency: z.string(),
  productPlan: z.string().nullable(),
  rating: storedRating.nullable(),
  coverages: z.array(coverage),
  tiers: z.array(tier),
  acceptanceRules: z
    .object({
      options: z.record(z.string(), z.array(z.json())),
      refused: z.record(z.string(), z.array(z.json())),
    })
    .describe('Allowed and refused values by field of `additional_information`.'),
  eligibility: storedEligibility,
  cancellation: storedCancellationRules.nullable().describe('Null: cancellations follow the general rules alone.'),
  renewable: z.boolean().describe('Whether policies of the product can be renewed.'),
  inspectionRequired: z.boolean(),
  certificationRequired: z.boolean(),
  isLive: z.boolean().describe('Whether the product is offered in quotes, unless it is withdrawn.'),
};
const detailsSchema = z.object(details);
export type ProductDetails = z.infer<typeof detailsSchema>;

export const ProductAdded = defineEvent('ProductAdded.v1', 'A product of an insurer was added.', {
  ...ids,
  merchantId: uuid.nullable().describe('The only merchant that sees it; null: every merchant that sees its insurer.'),
  ...details,
});

export const ProductUpdated = defineEvent('ProductUpdated.v1', 'A product was changed.', {
  ...ids,
  changes: detailsSchema.partial().describe('The new values only, with complete lists.'),
});
export const ProductWithdrawn = defineEvent('ProductWithdrawn.v1', 'A product was withdrawn and is not quoted.', ids);
export const ProductRestored = defineEvent('ProductRestored.v1', 'A withdrawn product is quoted again.', ids);

const EVENTS = [ProductAdded, ProductUpdated, ProductWithdrawn, ProductRestored] as const;
export type ProductEvent = EventOf<(typeof EVENTS)[number]>;

type ProductIds = Pick<ProductEvent['data'], 'productId' | 'providerId' | 'visibility'>;

export function productIds({ productId, providerId, visibility }: ProductIds): ProductIds {
  return { productId, providerId, visibility };
}

type ProductBase = ProductDetails & ProductIds & VisibilityFields;
export type ProductState =
  | (ProductBase & { readonly status: 'offered' })
  | (ProductBase & { readonly status: 'withdrawn' });

function evolve(state: ProductState | undefined, event: RecordedEvent<ProductEvent>): ProductState {
  if (event.type === 'ProductAdded') {
    const { effectiveAt: _, ...details } = event.data;
    return { ...details, status: 'offered' };
  }
  if (state === undefined) throw new Error(`${event.type} in ${event.stream} before the product exists`);
  switch (event.type) {
    case 'ProductUpdated':
      return { ...state, ...(event.data.changes as Partial<ProductDetails>) };
    case 'ProductWithdrawn':
      return { ...state, status: 'withdrawn' };
    case 'ProductRestored':
      return { ...state, status: 'offered' };
    default:
      return event satisfies never;
  }
}

export const product: Aggregate<ProductState, ProductEvent> = {
  category: 'product',
  events: EVENTS,
  evolve,
};

type RatedProduct = Pick<ProductDetails, 'rating' | 'tiers'>;

/** Returns the rating of a tier: its own, else that of the product, as also where there is no tier of this name. */
export function ratingOf(product: RatedProduct, tierName: string | null): Rating | null {
  return product.tiers.find(({ name }) => name === tierName)?.rating ?? product.rating;
}

/** Returns the rates of a tier, the same for every term; null where there is no rating. */
export function ratesOfProduct(product: RatedProduct, tierName: string | null): Rates | null {
  const rating = ratingOf(product, tierName);
  return rating === null ? null : ratesOf(rating);
}

interface Pricing {
  readonly amount: string;
  readonly tax: string;
  readonly surcharges: string;
  readonly total_price: string;
}

/** Prices a year without what depends on the risk, and without discount. */
export function pricingOf(basePremium: string, rating: Rating | null): Pricing {
  const rates = ratesOf(rating);
  const { premium, net, fee, tax } = priceOf(netOf(ofMoney(parseMoney(basePremium)), YEAR_DAYS, rates), rates);
  return { amount: net, tax, surcharges: fee, total_price: premium };
}
