import { openAmountOf } from '#domain/claim/settlement.ts';
import { paidUnder, coverOfIncident } from '#domain/policy/claim-payments.ts';
import type { PolicyState } from '#domain/policy/policy.ts';
import type { ClaimState } from '#domain/claim/claim.ts';
import { type MinorUnits, parseSum } from '#domain/values/money.ts';
import type { Day } from '#event-sourcing/time.ts';

/** What a claim adds to the book on a day (`insurance.md`, 11). */
export interface ClaimFigures {
  readonly isPaid: boolean;
  readonly amountPaid: MinorUnits;
  readonly outstanding: MinorUnits;
}

/**
 * Computes the figures of a claim on a day. Claim and policy must be folded as of the day.
 * @param policy undefined: not in force by then
 */
export function claimFiguresOn(claim: ClaimState, policy: PolicyState | undefined, day: Day): ClaimFigures {
  const counted = claim.payments.filter(
    ({ paidOn, reversedOn }) => paidOn <= day && (reversedOn === null || reversedOn > day),
  );
  return {
    isPaid: claim.stage === 'paid',
    amountPaid: counted.reduce((sum, { amount }) => sum + parseSum(amount), 0n),
    outstanding: policy === undefined ? 0n : outstandingOf(claim, policy),
  };
}

/** What an incident that is not covered costs is nothing. */
function outstandingOf(claim: ClaimState, policy: PolicyState): MinorUnits {
  const { coverage, claimId, details } = claim;
  const cover = coverOfIncident(policy, details.incidentDate);
  if (cover === undefined) return 0n;
  if (coverage === null || coverage.limit === null) return openAmountOf(claim, null);
  return openAmountOf(claim, parseSum(coverage.limit) - paidUnder(policy, cover.term, coverage.name, claimId));
}
