import type { CancellationRules } from '#domain/values/cancellation-rules.ts';
import type { Eligibility } from '#domain/values/eligibility.ts';
import { canonicalMoney } from '#domain/values/money.ts';
import { isPremiumInRange } from '#domain/values/price.ts';
import { pricingOf, ratingOf, type ProductCoverage, type ProductDetails } from '#domain/product/product.ts';
import { wrongField, wrongFields } from '#domain/refusals.ts';
import { readingsOf } from '#domain/values/rating.ts';
import { isAskedField } from '../quote/additional-information.ts';
import type { CoverageInput, ProductInput, TierInput } from './product-fields.ts';

/**
 * The current coverages. A coverage keeps its id while it keeps its name, compared with case, and its tier keeps its
 * own.
 */
type CurrentCoverages = Pick<ProductDetails, 'coverages' | 'tiers'>;
export const NO_COVERAGES: CurrentCoverages = { coverages: [], tiers: [] };

/**
 * Derives a coverage id from the path of the coverage in the product, such as `tier 1 0`. Each path is used once per
 * command.
 */
export type NewCoverageId = (path: string) => string;

type Fields = { readonly [Name in keyof ProductInput]?: ProductInput[Name] | undefined };
type Details = { readonly [Key in keyof ProductDetails]: ProductDetails[Key] | undefined };

export function productDetails(fields: Fields, current: CurrentCoverages, newId: NewCoverageId): Details {
  const { additional_information: information } = fields;
  return {
    name: fields.name,
    description: fields.description,
    productType: fields.product_type,
    basePremium: fields.base_premium === undefined ? undefined : canonicalMoney(fields.base_premium),
    currency: fields.currency,
    productPlan: fields.product_plan,
    rating: fields.rating,
    coverages: fields.coverages && coverages(fields.coverages, current.coverages, (path) => newId(`product ${path}`)),
    tiers: fields.tiers && tiers(fields.tiers, current, newId),
    acceptanceRules: information === undefined ? undefined : acceptanceRules(information),
    eligibility: information === undefined ? undefined : eligibility(information),
    cancellation: fields.cancellation && cancellationRules(fields.cancellation),
    renewable: fields.renewable,
    inspectionRequired: fields.inspection_required,
    certificationRequired: fields.cerfication_required,
    isLive: fields.is_live,
  };
}

/**
 * Checks that what a product and its tiers cost at least, by base and minimum premium with surcharge and tax, has at
 * most 8 integer digits: no quote could offer more.
 * @throws {Refusal} naming what is wrong
 */
export function checkPrices(product: Pick<ProductDetails, 'basePremium' | 'rating' | 'tiers'>): void {
  checkPrice('base_premium', product.basePremium, product.rating);
  for (const [index, { name, basePremium }] of product.tiers.entries())
    checkPrice(`tiers.${index}.base_premium`, basePremium, ratingOf(product, name));
}

/**
 * Checks that quote requests of the type may have the fields that prices and acceptance rules read: what reads another
 * one would never apply.
 * @throws {Refusal} naming what is wrong
 */
export function checkFields(
  product: Pick<ProductDetails, 'productType' | 'rating' | 'tiers' | 'acceptanceRules'>,
): void {
  const { productType, rating, tiers, acceptanceRules } = product;
  const readings = (path: string, of: ProductDetails['rating']) =>
    readingsOf(of).map((reading) => ({ path: `${path}rating.${reading.path}`, name: reading.field }));
  const rules = (['options', 'refused'] as const).flatMap((kind) =>
    Object.keys(acceptanceRules[kind]).map((name) => ({ path: `additional_information.${kind}.${name}`, name })),
  );
  const read = [
    ...readings('', rating),
    ...tiers.flatMap((tier, index) => readings(`tiers.${index}.`, tier.rating)),
    ...rules,
  ];
  const unknown = read.filter(({ name }) => !isAskedField(productType, name));
  if (unknown.length === 0) return;
  const message = `names a field that quotes of the type ${productType} do not have`;
  throw wrongFields(unknown.map(({ path }) => ({ field: path, message })));
}

function checkPrice(field: string, basePremium: string, rating: ProductDetails['rating']): void {
  if (isPremiumInRange(pricingOf(basePremium, rating).total_price)) return;
  throw wrongField(field, 'with minimum premium, surcharge and tax, the price has more than 8 integer digits');
}

function coverages(
  inputs: readonly CoverageInput[],
  current: readonly ProductCoverage[],
  newId: NewCoverageId,
): ProductCoverage[] {
  return inputs.map((coverage, index) => {
    const known = current.find(({ name }) => name === coverage.coverage_name);
    const { coverage_limit: limit = null, deductible = null } = coverage;
    return {
      coverageId: known?.coverageId ?? newId(String(index)),
      name: coverage.coverage_name,
      description: coverage.coverage_description ?? null,
      type: coverage.coverage_type ?? null,
      limit: limit === null ? null : canonicalMoney(limit),
      deductible: deductible === null ? null : canonicalMoney(deductible),
    };
  });
}

function tiers(inputs: readonly TierInput[], current: CurrentCoverages, newId: NewCoverageId): ProductDetails['tiers'] {
  return inputs.map((tier, index) => {
    const known = current.tiers.find(({ name }) => name === tier.tier_name)?.coverages ?? [];
    return {
      name: tier.tier_name,
      basePremium: canonicalMoney(tier.base_premium),
      rating: tier.rating ?? null,
      coverages: coverages(tier.coverages ?? [], known, (path) => newId(`tier ${index} ${path}`)),
    };
  });
}

function acceptanceRules(input: ProductInput['additional_information']): ProductDetails['acceptanceRules'] {
  return { options: input?.options ?? {}, refused: input?.refused ?? {} };
}

function eligibility(input: ProductInput['additional_information']): Eligibility {
  return { minAge: input?.min_age ?? null, maxAge: input?.max_age ?? null };
}

function cancellationRules(input: NonNullable<ProductInput['cancellation']>): CancellationRules {
  const { cooling_off_days = 0, refund_after_claim = true, minimum_retained = '0' } = input;
  return {
    coolingOffDays: cooling_off_days,
    refundAfterClaim: refund_after_claim,
    minimumRetained: canonicalMoney(minimum_retained),
  };
}
