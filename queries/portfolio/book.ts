import type { ClaimEvent } from '../../src/domain/claim/claim-events.ts';
import { stageAfter } from '../../src/domain/claim/claim.ts';
import { type ClaimAmounts, NO_SETTLEMENT, paidAmountOf, settlementAfter } from '../../src/domain/claim/settlement.ts';
import { type MinorUnits, parseSum } from '../../src/domain/values/money.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';

export interface BookClaim {
  readonly policyId: string;
  readonly amounts: ClaimAmounts;
  readonly isPaid: boolean;
}

/** Folds an event into a claim. @throws {Error} when an event comes before the claim exists */
export function foldBookClaim(claim: BookClaim | undefined, event: RecordedEvent<ClaimEvent>): BookClaim {
  if (event.type === 'ClaimSubmitted' || event.type === 'ClaimImported') {
    const { policyId, amount } = event.data;
    return { policyId, amounts: { ...NO_SETTLEMENT, claimedAmount: amount }, isPaid: false };
  }
  if (claim === undefined) throw new Error(`${event.type} in ${event.stream} before the claim exists`);
  if (event.type === 'ClaimDocumentsAdded') return claim;
  const amounts = { ...claim.amounts, ...settlementAfter(claim.amounts, event) };
  return { ...claim, amounts, isPaid: stageAfter(event) === 'paid' };
}

/** Returns what a paid claim paid; 0 for any other claim, and where no amount is known. */
export function amountPaidOf({ isPaid, amounts }: BookClaim): MinorUnits {
  const amount = isPaid ? paidAmountOf(amounts) : null;
  return amount === null ? 0n : parseSum(amount);
}
