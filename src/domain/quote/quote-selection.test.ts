import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { offer } from '#test/support/sample-events.ts';
import type { Offer } from './quote.ts';
import { type OfferSelection, selectOffers, SORTINGS } from './quote-selection.ts';

const money = (minor: number): string => (minor / 100).toFixed(2);

/** Few values, so that offers tie and filters hit. */
const providers = fc.constantFrom('Leadway', 'Leadway Assurance', 'Mutual', 'ÉTOILE');
const types = fc.constantFrom('Collision', 'collision', 'Liability', 'Medical');
const prices = fc.constantFrom(0, 1, 100, 101, 250, 99_999_999_99);
const limits = fc.option(fc.constantFrom(0, 1, 500, 1_000_00), { nil: null });

interface GeneratedOffer {
  readonly provider: string;
  readonly premium: number;
  readonly coverages: readonly { readonly type: string | null; readonly limit: number | null }[];
}
const anyOffer: fc.Arbitrary<GeneratedOffer> = fc.record({
  provider: providers,
  premium: prices,
  coverages: fc.array(fc.record({ type: fc.option(types, { nil: null }), limit: limits }), { maxLength: 3 }),
});

const offerOf = ({ provider, premium, coverages }: GeneratedOffer): Offer =>
  offer({
    provider: { id: '6f1d2f0c-5b0e-5f52-9c3a-5e1a7c1f2b64', name: provider, email: null },
    premium: money(premium),
    coverages: coverages.map(({ type, limit }) => ({
      name: 'Cover',
      description: null,
      type,
      limit: limit === null ? null : money(limit),
    })),
  });

const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
const selections = fc.record({
  provider_name: optional(fc.constantFrom('lead', 'ASSURANCE', 'étoile', 'nobody')),
  coverage_type: optional(types),
  min_price: optional(prices.map(money)),
  max_price: optional(prices.map(money)),
  sort_by: fc.constantFrom(...SORTINGS),
});

/** Highest limit for the premium, as an exact number of these few values. */
function coverageRatio({ premium, coverages }: GeneratedOffer): number {
  const limit = Math.max(0, ...coverages.map((coverage) => coverage.limit ?? 0));
  if (limit === 0) return 0;
  return premium === 0 ? Number.POSITIVE_INFINITY : limit / premium;
}

/** The expected selection, computed offer by offer with plain numbers. */
function expectedSelection(offers: readonly GeneratedOffer[], selection: OfferSelection): readonly number[] {
  const indexes = offers
    .map((_, index) => index)
    .filter((index) => {
      const { provider, premium, coverages } = offers[index] as GeneratedOffer;
      const hasType = (type: string) => coverages.some((one) => one.type?.toLowerCase() === type.toLowerCase());
      if (
        selection.provider_name !== undefined &&
        !provider.toLowerCase().includes(selection.provider_name.toLowerCase())
      )
        return false;
      if (selection.coverage_type !== undefined && !hasType(selection.coverage_type)) return false;
      if (selection.min_price !== undefined && premium < Math.round(Number(selection.min_price) * 100)) return false;
      return selection.max_price === undefined || premium <= Math.round(Number(selection.max_price) * 100);
    });
  const candidates = indexes.map((index) => ({ index, offer: offers[index] as GeneratedOffer }));
  candidates.sort((a, b) => {
    if (selection.sort_by === 'best_coverage' && coverageRatio(a.offer) !== coverageRatio(b.offer))
      return coverageRatio(b.offer) > coverageRatio(a.offer) ? 1 : -1;
    return a.offer.premium - b.offer.premium || a.index - b.index;
  });
  return candidates.map(({ index }) => index);
}

describe('selectOffers', () => {
  test('filters and sorts as a naive computation does', () => {
    fc.assert(
      fc.property(fc.array(anyOffer, { maxLength: 12 }), selections, (offers, selection) => {
        expect(selectOffers(offers.map(offerOf), selection)).toEqual(expectedSelection(offers, selection));
      }),
      { numRuns: 500 },
    );
  });

  test('returns every offer once without a filter', () => {
    fc.assert(
      fc.property(fc.array(anyOffer, { maxLength: 12 }), (offers) => {
        for (const sort_by of SORTINGS) {
          const indexes = selectOffers(offers.map(offerOf), { sort_by });
          expect(indexes.toSorted((a, b) => a - b)).toEqual(offers.map((_, index) => index));
        }
      }),
    );
  });
});
