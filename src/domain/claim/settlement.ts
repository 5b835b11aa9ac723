import type { Day } from '#event-sourcing/time.ts';
import { formatMoney, type MinorUnits, parseSum } from '../values/money.ts';
import { larger, smaller } from '../values/price.ts';
import type { ClaimCoverage, ClaimDetails, Payment } from './claim-events.ts';
import { isApproved, isClosed, type Stage } from './stages.ts';

/** A payment of a claim. */
interface ClaimPayment extends Payment {
  /** From this day on it counts nowhere. */
  readonly reversedOn: Day | null;
}

/** What the amounts of a claim follow from. */
export interface Settlement {
  readonly stage: Stage;
  readonly details: Pick<ClaimDetails, 'amount'>;
  /**
   * After the deductible, with what was paid already; null before the approval, and where an import does not know it.
   */
  readonly approvedAmount: string | null;
  /** The open or accepted offer. */
  readonly offerAmount: string | null;
  readonly isOfferAccepted: boolean;
  readonly payments: readonly ClaimPayment[];
}

/** Returns what the claim has paid: its payments that were not reversed. */
export function paidOf({ payments }: Pick<Settlement, 'payments'>): MinorUnits {
  return payments.reduce((sum, { amount, reversedOn }) => (reversedOn === null ? sum + parseSum(amount) : sum), 0n);
}

/**
 * Returns what the claim pays in all: the accepted offer, else the approved amount, of an import without one the
 * claimed amount; undefined before the approval.
 */
export function payableOf(settlement: Settlement): MinorUnits | undefined {
  const { stage, details, isOfferAccepted, offerAmount, approvedAmount } = settlement;
  const amount = (isOfferAccepted ? offerAmount : approvedAmount) ?? (isApproved(stage) ? details.amount : null);
  return amount === null ? undefined : parseSum(amount);
}

/** Returns what is left to pay; undefined before the approval, 0.00 once the claim is closed. */
export function outstandingOf(settlement: Settlement): MinorUnits | undefined {
  const payable = payableOf(settlement);
  if (isClosed(settlement.stage)) return 0n;
  return payable === undefined ? undefined : larger(payable - paidOf(settlement), 0n);
}

/**
 * Returns what an open claim may still cost, less what it paid: the accepted offer, else the approved amount, else the
 * claimed amount less the deductible, but not more than what is left of the limit.
 * @param limitLeft of the coverage, less what other claims were paid; null without a limit
 */
export function openAmountOf(
  settlement: Settlement & { readonly coverage: Pick<ClaimCoverage, 'deductible'> | null },
  limitLeft: MinorUnits | null,
): MinorUnits {
  if (isClosed(settlement.stage)) return 0n;
  const { details, coverage } = settlement;
  const claimed = parseSum(details.amount ?? '0.00') - parseSum(coverage?.deductible ?? '0.00');
  const expected = payableOf(settlement) ?? (limitLeft === null ? claimed : smaller(claimed, limitLeft));
  return larger(expected - paidOf(settlement), 0n);
}

/** Returns an amount as texts have it; null where it is not known. */
export function textOf(amount: MinorUnits | undefined): string | null {
  return amount === undefined ? null : formatMoney(amount);
}
