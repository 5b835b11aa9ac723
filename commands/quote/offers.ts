import { normalise } from '../../src/event-sourcing/identifiers.ts';
import { parseMoney } from '../../src/domain/values/money.ts';
import { premiumOf, type RiskDetails } from '../../src/domain/values/premium.ts';
import type { ProductState } from '../../src/domain/product/product.ts';
import { MAX_OFFERS } from '../../src/domain/quote/quote-code.ts';
import { compareByPremium, hasCoverageOf, highestLimit } from '../../src/domain/quote/quote-selection.ts';
import type { Offer } from '../../src/domain/quote/quote.ts';
import type { OfferedProduct } from '../../src/command-handling/ports.ts';
import { refusedFields } from './narrowing.ts';
import type { CoveragePreferences } from './quote-request.ts';

/** So large may the offers of one request be as JSON: the rest of what an event can hold is for what was told of the risk. */
const MOST_BYTES = 700_000;

type Tier = ProductState['tiers'][number];

/**
 * One offer of each product that takes the risk and can price it, or one of each of its tiers instead; the cheapest first.
 * A tier without a rating or coverages of its own has those of its product. Of more than an event can hold, the cheapest.
 */
export function offersFor(
  products: readonly OfferedProduct[],
  told: RiskDetails,
  preferences: CoveragePreferences = {},
): readonly Offer[] {
  const taking = products.filter(({ product }) => refusedFields(product, told).length === 0);
  const offers = taking.flatMap((offered) => {
    const { tiers } = offered.product;
    return (tiers.length === 0 ? [undefined] : tiers).flatMap((tier) => offerOf(offered, tier, told) ?? []);
  });
  return storable(offers.filter((offer) => isPreferred(offer, preferences)).sort(compareByPremium));
}

function offerOf({ product, provider }: OfferedProduct, tier: Tier | undefined, told: RiskDetails): Offer | undefined {
  const priced = premiumOf(tier?.basePremium ?? product.basePremium, tier?.rating ?? product.rating, told);
  if (priced === undefined) return undefined;
  const { basePrice, premium, ...price } = priced;
  const ownCoverages = tier?.coverages ?? [];
  const coverages = ownCoverages.length === 0 ? product.coverages : ownCoverages;
  return {
    productId: product.productId,
    productName: product.name,
    productDescription: product.description,
    productPlan: product.productPlan,
    tierName: tier?.name ?? null,
    provider: { id: provider.id, name: provider.name, email: provider.email },
    coverages: coverages.map(({ name, description, type, limit }) => ({ name, description, type, limit })),
    currency: product.currency,
    basePrice,
    premium,
    price,
    renewable: product.renewable,
    inspectionRequired: product.inspectionRequired,
    certificationRequired: product.certificationRequired,
  };
}

function isPreferred(offer: Offer, preferences: CoveragePreferences): boolean {
  const { coverage_type: types = [], coverage_amount: least, additional_coverages: needed = [] } = preferences;
  const names = new Set(offer.coverages.map(({ name }) => normalise(name)));
  return (
    (types.length === 0 || hasCoverageOf(offer, types)) &&
    (least === undefined ||
      (offer.coverages.some(({ limit }) => limit !== null) && highestLimit(offer) >= parseMoney(String(least)))) &&
    needed.every((name) => names.has(normalise(name)))
  );
}

function storable(offers: readonly Offer[]): readonly Offer[] {
  let bytes = 0;
  const tooMuch = offers.findIndex((offer) => (bytes += Buffer.byteLength(JSON.stringify(offer))) > MOST_BYTES);
  return offers.slice(0, Math.min(tooMuch === -1 ? offers.length : tooMuch, MAX_OFFERS));
}
