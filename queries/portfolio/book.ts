import { openAmountOf } from '../../src/domain/claim/settlement.ts';
import type { ClaimState } from '../../src/domain/claim/claim.ts';
import { type MinorUnits, parseSum } from '../../src/domain/values/money.ts';
import type { Day } from '../../src/event-sourcing/time.ts';

/** What a claim adds to the book on a day (`insurance.md`, 11). */
export interface ClaimFigures {
  readonly isPaid: boolean;
  readonly amountPaid: MinorUnits;
  readonly outstanding: MinorUnits;
}

/** Computes the figures of a claim on a day. It must be folded as of the day. */
export function claimFiguresOn(claim: ClaimState, day: Day): ClaimFigures {
  const counted = claim.payments.filter(
    ({ paidOn, reversedOn }) => paidOn <= day && (reversedOn === null || reversedOn > day),
  );
  return {
    isPaid: claim.stage === 'paid',
    amountPaid: counted.reduce((sum, { amount }) => sum + parseSum(amount), 0n),
    outstanding: openAmountOf(claim),
  };
}
