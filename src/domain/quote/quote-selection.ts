import { normalise } from '#event-sourcing/identifiers.ts';
import { caseFoldedName } from '../provider/provider.ts';
import { type MinorUnits, parseMoney } from '../values/money.ts';
import type { Offer } from './quote.ts';

export const SORTINGS = ['cheapest', 'best_coverage'] as const;

export interface OfferSelection {
  readonly provider_name?: string | undefined;
  readonly coverage_type?: string | undefined;
  readonly min_price?: string | undefined;
  readonly max_price?: string | undefined;
  readonly sort_by: (typeof SORTINGS)[number];
}

/** Returns the indexes of the selected offers in the selected order. The sort is stable. */
export function selectOffers(offers: readonly Offer[], selection: OfferSelection): readonly number[] {
  const chosen = [...offers.entries()].filter(([, offer]) => isSelected(offer, selection));
  const compare = selection.sort_by === 'cheapest' ? compareByPremium : compareByCoverage;
  return chosen.sort(([, a], [, b]) => compare(a, b)).map(([index]) => index);
}

export function hasCoverageOf({ coverages }: Pick<Offer, 'coverages'>, types: readonly string[]): boolean {
  const wanted = new Set(types.map(normalise));
  return coverages.some(({ type }) => type !== null && wanted.has(normalise(type)));
}

/** Returns the highest limit of the coverages; 0 when none has a limit. */
export function highestLimit({ coverages }: Pick<Offer, 'coverages'>): MinorUnits {
  return coverages.reduce((highest, { limit }) => {
    const own = limit === null ? 0n : parseMoney(limit);
    return own > highest ? own : highest;
  }, 0n);
}

export function compareByPremium(a: Pick<Offer, 'premium'>, b: Pick<Offer, 'premium'>): number {
  return sign(parseMoney(a.premium) - parseMoney(b.premium));
}

/** Highest limit per premium first, then the cheapest. */
function compareByCoverage(a: Offer, b: Offer): number {
  const [one, other] = [limitForPremium(a), limitForPremium(b)];
  return sign(other.limit * one.premium - one.limit * other.premium) || compareByPremium(a, b);
}

/** A fraction. A limit without a premium ranks above all others. */
function limitForPremium(offer: Offer): { readonly limit: bigint; readonly premium: bigint } {
  const [limit, premium] = [highestLimit(offer), parseMoney(offer.premium)];
  if (limit === 0n) return { limit: 0n, premium: 1n };
  return premium === 0n ? { limit: 1n, premium: 0n } : { limit, premium };
}

function isSelected(offer: Offer, selection: OfferSelection): boolean {
  const premium = parseMoney(offer.premium);
  return (
    (selection.provider_name === undefined ||
      caseFoldedName(offer.provider.name).includes(caseFoldedName(selection.provider_name))) &&
    (selection.coverage_type === undefined || hasCoverageOf(offer, [selection.coverage_type])) &&
    (selection.min_price === undefined || premium >= parseMoney(selection.min_price)) &&
    (selection.max_price === undefined || premium <= parseMoney(selection.max_price))
  );
}

function sign(difference: bigint): number {
  return difference < 0n ? -1 : Number(difference > 0n);
}
