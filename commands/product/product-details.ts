import { canonicalMoney, storedMoney } from '../../src/domain/values/money.ts';
import { pricingOf } from '../../src/domain/product/pricing.ts';
import type { Coverage, ProductDetails } from '../../src/domain/product/product.ts';
import { wrongField } from '../../src/domain/refusals.ts';
import type { CoverageInput, ProductInput, TierInput } from './product-fields.ts';

/** What is there already: coverages keep their ids as long as they keep their names. */
export type PresentCoverages = Pick<ProductDetails, 'coverages' | 'tiers'>;
export const NO_COVERAGES: PresentCoverages = { coverages: [], tiers: [] };

/** A new coverage id for a place that is used once in a command. */
export type NewCoverageId = (place: string) => string;

type Given = { readonly [Name in keyof ProductInput]?: ProductInput[Name] | undefined };
type Details = { readonly [Key in keyof ProductDetails]: ProductDetails[Key] | undefined };

/** The fields as events keep them; what was not given is undefined. */
export function productDetails(given: Given, present: PresentCoverages, newId: NewCoverageId): Details {
  return {
    name: given.name,
    description: given.description,
    productType: given.product_type,
    basePremium: given.base_premium === undefined ? undefined : canonicalMoney(given.base_premium),
    currency: given.currency,
    productPlan: given.product_plan,
    rating: given.rating,
    coverages: given.coverages && coverages(given.coverages, present.coverages, (place) => newId(`product ${place}`)),
    tiers: given.tiers && tiers(given.tiers, present, newId),
    narrowing: given.additional_information === undefined ? undefined : narrowing(given.additional_information),
    renewable: given.renewable,
    inspectionRequired: given.inspection_required,
    certificationRequired: given.cerfication_required,
    isLive: given.is_live,
  };
}

/**
 * Goes on only with a price that the interface can carry, surcharge and tax included.
 * @throws {Refusal} `invalid_request`
 */
export function checkPrice({ basePremium, rating }: Pick<ProductDetails, 'basePremium' | 'rating'>): void {
  const parts = Object.values(pricingOf(basePremium, rating)) as string[];
  if (parts.every((part) => storedMoney.safeParse(part).success)) return;
  throw wrongField('base_premium', 'with surcharge and tax, the price has more than 8 integer digits');
}

function coverages(given: readonly CoverageInput[], present: readonly Coverage[], newId: NewCoverageId): Coverage[] {
  return given.map((coverage, index) => {
    const known = present.find(({ name }) => name === coverage.coverage_name);
    const { coverage_limit: limit = null } = coverage;
    return {
      coverageId: known?.coverageId ?? newId(String(index)),
      name: coverage.coverage_name,
      description: coverage.coverage_description ?? null,
      type: coverage.coverage_type ?? null,
      limit: limit === null ? null : canonicalMoney(limit),
    };
  });
}

function tiers(given: readonly TierInput[], present: PresentCoverages, newId: NewCoverageId): ProductDetails['tiers'] {
  return given.map((tier, index) => {
    const known = present.tiers.find(({ name }) => name === tier.tier_name)?.coverages ?? [];
    return {
      name: tier.tier_name,
      basePremium: canonicalMoney(tier.base_premium),
      rating: tier.rating ?? null,
      coverages: coverages(tier.coverages ?? [], known, (place) => newId(`tier ${index} ${place}`)),
    };
  });
}

function narrowing(given: ProductInput['additional_information']): ProductDetails['narrowing'] {
  return { options: given?.options ?? {}, refused: given?.refused ?? {} };
}
