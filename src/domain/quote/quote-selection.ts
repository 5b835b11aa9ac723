import { normalised } from '../../event-sourcing/identifiers.ts';
import { type Minor, parseMoney } from '../values/money.ts';
import type { Offer } from './quote.ts';

export const SORTINGS = ['cheapest', 'best_coverage'] as const;

/** Which offers of a request a merchant wants to see, and in what order (`decisions`: Quotes). */
export interface OfferSelection {
  /** A part of the insurer's name, whatever its case. */
  readonly provider_name?: string | undefined;
  /** At least one coverage is of this type. */
  readonly coverage_type?: string | undefined;
  /** Least premium, as a decimal string. */
  readonly min_price?: string | undefined;
  /** Largest premium, as a decimal string. */
  readonly max_price?: string | undefined;
  readonly sort_by: (typeof SORTINGS)[number];
}

/** The places of the offers that are wanted, in the order that is wanted; what sorts alike keeps its order. */
export function selectedPlaces(offers: readonly Offer[], selection: OfferSelection): readonly number[] {
  const chosen = [...offers.entries()].filter(([, offer]) => isWanted(offer, selection));
  const compare = selection.sort_by === 'cheapest' ? compareByPremium : compareByCoverage;
  return chosen.sort(([, a], [, b]) => compare(a, b)).map(([place]) => place);
}

/** Whether the offer has a coverage of one of these types, whatever their case. */
export function hasCoverageOf({ coverages }: Pick<Offer, 'coverages'>, types: readonly string[]): boolean {
  const wanted = new Set(types.map(normalised));
  return coverages.some(({ type }) => type !== null && wanted.has(normalised(type)));
}

/** The highest limit among the coverages; 0 when none has one. */
export function highestLimit({ coverages }: Pick<Offer, 'coverages'>): Minor {
  return coverages.reduce((highest, { limit }) => {
    const own = limit === null ? 0n : parseMoney(limit);
    return own > highest ? own : highest;
  }, 0n);
}

/** Ascending. */
export function compareByPremium(a: Pick<Offer, 'premium'>, b: Pick<Offer, 'premium'>): number {
  return sign(parseMoney(a.premium) - parseMoney(b.premium));
}

/** Highest limit for the money first; then the cheapest. */
function compareByCoverage(a: Offer, b: Offer): number {
  const [one, other] = [limitForPremium(a), limitForPremium(b)];
  return sign(other.limit * one.premium - one.limit * other.premium) || compareByPremium(a, b);
}

/** A fraction; a limit that costs nothing is worth more than any other. */
function limitForPremium(offer: Offer): { readonly limit: bigint; readonly premium: bigint } {
  const [limit, premium] = [highestLimit(offer), parseMoney(offer.premium)];
  if (limit === 0n) return { limit: 0n, premium: 1n };
  return premium === 0n ? { limit: 1n, premium: 0n } : { limit, premium };
}

function isWanted(offer: Offer, wanted: OfferSelection): boolean {
  const premium = parseMoney(offer.premium);
  return (
    (wanted.provider_name === undefined ||
      normalised(offer.provider.name).includes(normalised(wanted.provider_name))) &&
    (wanted.coverage_type === undefined || hasCoverageOf(offer, [wanted.coverage_type])) &&
    (wanted.min_price === undefined || premium >= parseMoney(wanted.min_price)) &&
    (wanted.max_price === undefined || premium <= parseMoney(wanted.max_price))
  );
}

function sign(difference: bigint): number {
  return difference < 0n ? -1 : Number(difference > 0n);
}
