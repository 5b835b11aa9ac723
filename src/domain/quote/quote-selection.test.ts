import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { offer } from '../../../test/support/sample-events.ts';
import type { Offer } from './quote.ts';
import { type OfferSelection, selectOffers, SORTINGS } from './quote-selection.ts';

const money = (minor: number): string => (minor / 100).toFixed(2);

/** Few values, so that offers tie and filters hit. */
const providers = fc.constantFrom('Leadway', 'Leadway Assurance', 'Mutual', 'ÉTOILE');
const types = fc.constantFrom('Collision', 'collision', 'Liability', 'Medical');
const prices = fc.constantFrom(0, 1, 100, 101, 250, 99_999_999_99);
const limits = fc.option(fc.constantFrom(0, 1, 500, 1_000_00), { nil: null });

interface Drawn {
  readonly provider: string;
  readonly premium: number;
  readonly coverages: readonly { readonly type: string | null; readonly limit: number | null }[];
}
const drawnOffer: fc.Arbitrary<Drawn> = fc.record({
  provider: providers,
  premium: prices,
  coverages: fc.array(fc.record({ type: fc.option(types, { nil: null }), limit: limits }), { maxLength: 3 }),
});

const offerOf = ({ provider, premium, coverages }: Drawn): Offer =>
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
function worth({ premium, coverages }: Drawn): number {
  const limit = Math.max(0, ...coverages.map((coverage) => coverage.limit ?? 0));
  if (limit === 0) return 0;
  return premium === 0 ? Number.POSITIVE_INFINITY : limit / premium;
}

/** The expected selection, computed offer by offer with plain numbers. */
function naiveSelection(drawn: readonly Drawn[], selection: OfferSelection): readonly number[] {
  const indexes = drawn
    .map((_, index) => index)
    .filter((index) => {
      const { provider, premium, coverages } = drawn[index] as Drawn;
      const has = (type: string) => coverages.some((one) => one.type?.toLowerCase() === type.toLowerCase());
      if (
        selection.provider_name !== undefined &&
        !provider.toLowerCase().includes(selection.provider_name.toLowerCase())
      )
        return false;
      if (selection.coverage_type !== undefined && !has(selection.coverage_type)) return false;
      if (selection.min_price !== undefined && premium < Math.round(Number(selection.min_price) * 100)) return false;
      return selection.max_price === undefined || premium <= Math.round(Number(selection.max_price) * 100);
    });
  const keyed = indexes.map((index) => ({ index, drawn: drawn[index] as Drawn }));
  keyed.sort((a, b) => {
    if (selection.sort_by === 'best_coverage' && worth(a.drawn) !== worth(b.drawn))
      return worth(b.drawn) > worth(a.drawn) ? 1 : -1;
    return a.drawn.premium - b.drawn.premium || a.index - b.index;
  });
  return keyed.map(({ index }) => index);
}

describe('selectOffers', () => {
  test('filters and sorts as a naive computation does', () => {
    fc.assert(
      fc.property(fc.array(drawnOffer, { maxLength: 12 }), selections, (drawn, selection) => {
        expect(selectOffers(drawn.map(offerOf), selection)).toEqual(naiveSelection(drawn, selection));
      }),
      { numRuns: 500 },
    );
  });

  test('returns every offer once without a filter', () => {
    fc.assert(
      fc.property(fc.array(drawnOffer, { maxLength: 12 }), (drawn) => {
        for (const sort_by of SORTINGS) {
          const indexes = selectOffers(drawn.map(offerOf), { sort_by });
          expect(indexes.toSorted((a, b) => a - b)).toEqual(drawn.map((_, index) => index));
        }
      }),
    );
  });
});
