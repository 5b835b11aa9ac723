// What the end of a policy returns (docs/insurance.md, End).
import { countDays, type Day } from './days.ts';
import { largest, quotient, round, smaller, times } from './fractions.ts';
import { type Amounts, earnedNet, netOf, premiumOf, priceOf, type Term } from './timeline.ts';

export type RefundRule = 'cooling_off' | 'none_after_claim' | 'pro_rata' | 'not_begun';

/** "Recorded with the policy at purchase; imported policies have none." */
export interface CancellationRules {
  readonly coolingOffDays: number;
  readonly refundAfterClaim: boolean;
  readonly minimumRetained: bigint;
}

/** "R = N − the larger of E(k) and the smaller of N and `minimum_retained`; no fee." */
export function proRata(
  term: Term,
  day: Day,
  { minimumRetained }: Pick<CancellationRules, 'minimumRetained'>,
): Amounts {
  const net = netOf(term);
  return returnOf(term, net - largest(earnedNet(term, day), smaller(net, minimumRetained)));
}

/** "Tax T − round(T × (N − R + F) ÷ (N + F)); commission C − round(C × (N − R) ÷ N)." */
export function returnOf(term: Term, returned: bigint): Amounts {
  const { net, fee, tax, commission } = priceOf(term);
  const keptTax = round(times(tax ?? 0n, quotient(net - returned + fee, net + fee)));
  const keptCommission = round(times(commission ?? 0n, quotient(net - returned, net)));
  const rest = (amount: bigint | null, kept: bigint) => (amount === null ? null : amount - kept);
  return { net: returned, fee: 0n, tax: rest(tax, keptTax), commission: rest(commission, keptCommission) };
}

/** "An imported `return_premium` stands instead: net round(it × N ÷ P), the rest tax, commission as in 3." */
export function importedReturn(term: Term, amount: bigint): Amounts {
  const price = priceOf(term);
  const net = round(times(amount, quotient(price.net, premiumOf(price))));
  return { ...returnOf(term, net), tax: price.tax === null ? null : amount - net };
}

/**
 * "If the day of the decision and the end are both not after the last day of the cooling-off, in a first term of 30
 * days or more."
 */
export function isCoolingOff(term: Term, decision: Day, end: Day, through: Day): boolean {
  return decision <= through && end <= through && countDays(term.from, term.through) >= 30;
}
