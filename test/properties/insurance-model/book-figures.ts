// The book on a day (docs/insurance.md, The book on a day).
import { formatMoney } from '#domain/values/money.ts';
import { hasBegun, type PastPolicy, termInForce } from './state.ts';
import { earnedCommission, earnedNet, NOTHING, priceOf } from './timeline.ts';

/** "With these figures, none of which contains tax", in minor units. */
export interface Figures {
  readonly inForce: bigint;
  readonly written: bigint;
  readonly earned: bigint;
  readonly unearned: bigint;
  readonly returned: bigint;
  readonly tax: bigint;
  readonly commission: bigint;
  readonly commissionUnearned: bigint;
}

export const NO_FIGURES: Figures = {
  inForce: 0n,
  written: 0n,
  earned: 0n,
  unearned: 0n,
  returned: 0n,
  tax: 0n,
  commission: 0n,
  commissionUnearned: 0n,
};

export function addFigures(a: Figures, b: Figures): Figures {
  const sums: Record<keyof Figures, bigint> = { ...a };
  for (const name of Object.keys(sums) as (keyof Figures)[]) sums[name] += b[name];
  return sums;
}

/** Returns the figures of a policy, term by term of those that have begun. */
export function figuresOf({ state, day }: PastPolicy): Figures {
  const inForce = termInForce(state, day);
  const begun = state.terms.filter((term) => hasBegun(state, term, day));
  const hasEnded = state.end !== null && state.end.day <= day;
  return begun
    .map((term): Figures => {
      const { net, fee, tax, commission } = priceOf(term);
      const returned = term.returned ?? NOTHING;
      const written = net + fee;
      const earned = earnedNet(term, day);
      return {
        inForce: term === inForce ? written : 0n,
        written,
        returned: returned.net + returned.fee,
        // "After an end by the day N + F − returned."
        earned: hasEnded ? written - returned.net - returned.fee : earned + fee,
        unearned: hasEnded ? 0n : net - earned,
        tax: (tax ?? 0n) - (returned.tax ?? 0n),
        commission: (commission ?? 0n) - (returned.commission ?? 0n),
        commissionUnearned: hasEnded ? 0n : (commission ?? 0n) - earnedCommission(term, day),
      };
    })
    .reduce(addFigures, NO_FIGURES);
}

/** The figures as the portfolio spells them. */
export function figuresView(figures: Figures) {
  return {
    premium_in_force: formatMoney(figures.inForce),
    premium_written: formatMoney(figures.written),
    premium_earned: formatMoney(figures.earned),
    premium_unearned: formatMoney(figures.unearned),
    premium_returned: formatMoney(figures.returned),
    tax: formatMoney(figures.tax),
    commission: formatMoney(figures.commission),
    commission_unearned: formatMoney(figures.commissionUnearned),
  };
}
