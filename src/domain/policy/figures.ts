import type { Day } from '#event-sourcing/time.ts';
import type { MinorUnits } from '../values/money.ts';
import { type Amounts, amountsOf } from '../values/price.ts';
import { hasBegun, isInForce } from './cover.ts';
import type { PolicyState } from './policy.ts';
import { contains, type Term } from './term.ts';
import { earnedCommission, earnedNet } from './timeline.ts';

/**
 * Figures of a policy on a day: the amounts that it adds to the rows of the book (docs/insurance.md#the-book-on-a-day).
 * Written = earned + unearned + returned.
 */
export interface Figures {
  readonly isInForce: boolean;
  readonly inForce: MinorUnits;
  readonly written: MinorUnits;
  readonly earned: MinorUnits;
  readonly unearned: MinorUnits;
  readonly returned: MinorUnits;
  readonly tax: MinorUnits;
  readonly commission: MinorUnits;
  readonly commissionUnearned: MinorUnits;
}

/**
 * Computes the figures of a policy on a day. It must be folded as of the day: an end that is in it has come by then.
 */
export function figuresOn(policy: PolicyState, day: Day): Figures {
  const isCovered = isInForce(policy, day);
  const sums = {
    inForce: 0n,
    written: 0n,
    earned: 0n,
    unearned: 0n,
    returned: 0n,
    tax: 0n,
    commission: 0n,
    commissionUnearned: 0n,
  };
  for (const term of policy.terms) {
    if (!hasBegun(policy, term, day)) continue;
    const { net, fee, tax, commission } = amountsOf(term);
    const back = returnedAmounts(policy, term);
    const earned = policy.end === null ? earnedNet(term, day) : net - back.net;
    if (isCovered && contains(term, day)) sums.inForce += net + fee;
    sums.written += net + fee;
    sums.returned += back.net + back.fee;
    sums.earned += earned + fee - back.fee;
    sums.tax += (tax ?? 0n) - (back.tax ?? 0n);
    sums.commission += (commission ?? 0n) - (back.commission ?? 0n);
    if (policy.end !== null) continue;
    sums.unearned += net - earned;
    sums.commissionUnearned += (commission ?? 0n) - earnedCommission(term, earned);
  }
  return { isInForce: isCovered, ...sums };
}

function returnedAmounts({ end }: PolicyState, term: Term): Amounts {
  const entry = end?.returned.find(({ termId }) => termId === term.termId);
  return entry === undefined ? { net: 0n, fee: 0n, tax: 0n, commission: 0n } : amountsOf(entry);
}
