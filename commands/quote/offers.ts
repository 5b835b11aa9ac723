import { ratingOf } from '../../src/domain/product/pricing.ts';
import type { ProductState } from '../../src/domain/product/product.ts';
import { MAX_OFFERS } from '../../src/domain/quote/quote-code.ts';
import { compareByPremium, hasCoverageOf, highestLimit } from '../../src/domain/quote/quote-selection.ts';
import type { Offer } from '../../src/domain/quote/quote.ts';
import { YEAR_DAYS } from '../../src/domain/values/price.ts';
import { parseMoney } from '../../src/domain/values/money.ts';
import { quotedPrice, ratedPrice } from '../../src/domain/values/rated-price.ts';
import { ratesOf } from '../../src/domain/values/rating.ts';
import { normalise } from '../../src/event-sourcing/identifiers.ts';
import type { OfferedProduct } from '../services.ts';
import { type Applicant, isRefused } from './acceptance-rules.ts';
import type { CoveragePreferences } from './request-quotes-input.ts';

/** Limit of the offers of one request as JSON. The rest of the event is for the risk details. */
const MAX_BYTES = 700_000;

type Tier = ProductState['tiers'][number];

/** What offers are made for. */
export interface OfferRequest extends Applicant {
  /** The asked duration; a year when left out. */
  readonly days?: number | undefined;
  readonly preferences?: CoveragePreferences | undefined;
}

/**
 * Returns an offer for each product that accepts the risk and can price it, or one for each of its tiers, cheapest
 * first. A tier without a rating or coverages has those of its product. If there are more offers than an event can
 * hold, the cheapest are kept.
 */
export function offersFor(products: readonly OfferedProduct[], request: OfferRequest): readonly Offer[] {
  const accepting = products.filter(({ product }) => !isRefused(product, request));
  const offers = accepting.flatMap((offered) => {
    const { tiers } = offered.product;
    return (tiers.length === 0 ? [undefined] : tiers).flatMap((tier) => offerOf(offered, tier, request) ?? []);
  });
  return limitSize(offers.filter((offer) => isPreferred(offer, request.preferences)).sort(compareByPremium));
}

function offerOf(
  { product, provider }: OfferedProduct,
  tier: Tier | undefined,
  { risk, days }: OfferRequest,
): Offer | undefined {
  const rating = ratingOf(product, tier?.name ?? null);
  const rated = ratedPrice(tier?.basePremium ?? product.basePremium, rating, risk);
  const rates = ratesOf(rating);
  const priced = rated && quotedPrice(rated, rates, days ?? YEAR_DAYS);
  if (priced === undefined) return undefined;
  const ownCoverages = tier?.coverages ?? [];
  const coverages = ownCoverages.length === 0 ? product.coverages : ownCoverages;
  return {
    productId: product.productId,
    productName: product.name,
    productDescription: product.description,
    productPlan: product.productPlan,
    tierName: tier?.name ?? null,
    provider: { id: provider.id, name: provider.name, email: provider.email },
    coverages: coverages.map(({ coverageId: _, ...coverage }) => coverage),
    currency: product.currency,
    ...priced,
    rates,
    cancellation: product.cancellation,
    eligibility: product.eligibility,
    renewable: product.renewable,
    inspectionRequired: product.inspectionRequired,
    certificationRequired: product.certificationRequired,
  };
}

function isPreferred(offer: Offer, preferences: CoveragePreferences = {}): boolean {
  const { coverage_type: types = [], coverage_amount: minimum, additional_coverages: needed = [] } = preferences;
  const names = new Set(offer.coverages.map(({ name }) => normalise(name)));
  return (
    (types.length === 0 || hasCoverageOf(offer, types)) &&
    (minimum === undefined ||
      (offer.coverages.some(({ limit }) => limit !== null) && highestLimit(offer) >= parseMoney(String(minimum)))) &&
    needed.every((name) => names.has(normalise(name)))
  );
}

function limitSize(offers: readonly Offer[]): readonly Offer[] {
  let bytes = 0;
  const firstTooMany = offers.findIndex((offer) => (bytes += Buffer.byteLength(JSON.stringify(offer))) > MAX_BYTES);
  return offers.slice(0, Math.min(firstTooMany === -1 ? offers.length : firstTooMany, MAX_OFFERS));
}
