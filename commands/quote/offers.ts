import { ratingOf, type ProductState } from '#domain/product/product.ts';
import { MAX_OFFERS } from '#domain/quote/quote-code.ts';
import { compareByPremium, hasCoverageOf, highestLimit } from '#domain/quote/quote-selection.ts';
import type { NoOfferReason, NotOffered, Offer } from '#domain/quote/quote.ts';
import type { FieldError } from '#domain/refusals.ts';
import { YEAR_DAYS } from '#domain/values/price.ts';
import { parseMoney } from '#domain/values/money.ts';
import { quotedPrice, ratedPrice, ratingFaults } from '#domain/values/rated-price.ts';
import { ratesOf } from '#domain/values/rating.ts';
import { normalise } from '#event-sourcing/identifiers.ts';
import type { OfferedProduct } from '../services.ts';
import { acceptanceFaults, type Applicant, riskPath } from './acceptance-rules.ts';
import type { CoveragePreferences } from './request-quotes-input.ts';

/**
 * Limits of the offers of one request as JSON, and of the products without one. The rest of the event is for the risk
 * details.
 */
const MAX_BYTES = 700_000;
const MAX_NOT_OFFERED_BYTES = 150_000;
const MAX_REASONS = 20;

type Tier = ProductState['tiers'][number];

/** What offers are made for. */
export interface OfferRequest extends Applicant {
  /** The asked duration; a year when left out. */
  readonly days?: number | undefined;
  readonly preferences?: CoveragePreferences | undefined;
}

/** What the products on sale answer to a request. */
interface Offering {
  /** Those that the preferences select, cheapest first. */
  readonly offers: readonly Offer[];
  /** The products without an offer, whatever the preferences, in the order of the catalogue. */
  readonly notOffered: readonly NotOffered[];
  /** What the request must correct to get any offer. */
  readonly wrongFields: readonly FieldError[];
}

/**
 * Returns an offer for each product that accepts the risk and can price it, or one for each of its tiers, and why the
 * other products make none. A tier without a rating or coverages has those of its product. If there are more offers
 * than an event can hold, the cheapest are kept.
 */
export function offeringFor(products: readonly OfferedProduct[], request: OfferRequest): Offering {
  const answers = products.map((offered) => answerOf(offered, request));
  const offers = answers.flatMap((answer) => answer.offers).filter((offer) => isPreferred(offer, request.preferences));
  return {
    offers: withinBytes(offers.sort(compareByPremium), MAX_BYTES).slice(0, MAX_OFFERS),
    notOffered: withinBytes(
      answers.flatMap(({ notOffered }) => notOffered ?? []),
      MAX_NOT_OFFERED_BYTES,
    ),
    wrongFields: fieldsToCorrect(answers),
  };
}

interface Answer {
  readonly offers: readonly Offer[];
  readonly notOffered?: NotOffered;
}

/** Returns the offers of a product, else why it makes none: every reason of the product and its tiers once. */
function answerOf(offered: OfferedProduct, request: OfferRequest): Answer {
  const { product, provider } = offered;
  const { tiers } = product;
  const faults = acceptanceFaults(product, request);
  const answers = (tiers.length === 0 ? [undefined] : tiers).map((tier) => offerOf(offered, tier, request));
  const offers = answers.flatMap((answer) => ('reasons' in answer ? [] : answer));
  if (faults.length === 0 && offers.length > 0) return { offers };
  const reasons = [...faults, ...answers.flatMap((answer) => ('reasons' in answer ? answer.reasons : []))];
  const different = new Map(reasons.map((reason) => [`${reason.code} ${reason.field}`, reason]));
  const names = { productId: product.productId, productName: product.name, providerName: provider.name };
  return { offers: [], notOffered: { ...names, reasons: [...different.values()].slice(0, MAX_REASONS) } };
}

function offerOf(
  { product, provider }: OfferedProduct,
  tier: Tier | undefined,
  { risk, days }: OfferRequest,
): Offer | { readonly reasons: readonly NoOfferReason[] } {
  const rating = ratingOf(product, tier?.name ?? null);
  const faults = ratingFaults(rating, risk);
  if (faults.length > 0) return { reasons: faults.map((fault) => ({ ...fault, field: riskPath(fault.field) })) };
  const rated = ratedPrice(tier?.basePremium ?? product.basePremium, rating, risk);
  if (rated === undefined) return noPrice('not_rated', 'The loadings of the product leave a price below 0.00');
  const rates = ratesOf(rating);
  const priced = quotedPrice(rated, rates, days ?? YEAR_DAYS);
  if (priced === undefined) return noPrice('premium_out_of_range', 'The premium has more than 8 integer digits');
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

function noPrice(code: NoOfferReason['code'], message: string): { readonly reasons: readonly NoOfferReason[] } {
  return { reasons: [{ code, field: null, message }] };
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

/** Returns the first of the items that fit. */
function withinBytes<Item>(items: readonly Item[], most: number): readonly Item[] {
  let bytes = 0;
  const firstTooMany = items.findIndex((item) => (bytes += Buffer.byteLength(JSON.stringify(item))) > most);
  return items.slice(0, firstTooMany === -1 ? items.length : firstTooMany);
}

const WRONG: readonly NoOfferReason['code'][] = ['field_missing', 'field_invalid'];

/**
 * Returns the missing and invalid fields of the first product, where each product makes no offer and names such a
 * field.
 */
function fieldsToCorrect(answers: readonly Answer[]): readonly FieldError[] {
  const wrong = answers.map(({ notOffered }) =>
    (notOffered?.reasons ?? []).flatMap(({ code, field, message }) =>
      field !== null && WRONG.includes(code) ? [{ field, message }] : [],
    ),
  );
  return wrong.every((fields) => fields.length > 0) ? (wrong[0] ?? []) : [];
}
