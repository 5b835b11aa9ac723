import type { ClaimEvent } from '../../src/domain/claim/claim-events.ts';
import { stageAfter } from '../../src/domain/claim/claim.ts';
import { type ClaimAmounts, NO_SETTLEMENT, paidAmountOf, settlementAfter } from '../../src/domain/claim/settlement.ts';
import { type CoverTerm, hasBegun, isInForce } from '../../src/domain/policy/cover.ts';
import {
  evolveLifecycle,
  firstLifecycle,
  type FirstPolicyEvent,
  type Lifecycle,
  type PolicyTerm,
} from '../../src/domain/policy/lifecycle.ts';
import type { PolicyEvent } from '../../src/domain/policy/policy-events.ts';
import { daysOf } from '../../src/domain/policy/term-premium.ts';
import { daysBetween } from '../../src/domain/values/dates.ts';
import { divideHalfUp, type MinorUnits, parseSum } from '../../src/domain/values/money.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import type { Day } from '../../src/event-sourcing/time.ts';

export interface BookTerm extends CoverTerm {
  readonly premium: MinorUnits;
}

/** The parts of a policy that the figures of the portfolio need: a book of policies fits into memory. */
export interface BookPolicy {
  readonly lifecycle: Lifecycle<BookTerm>;
}

/** The figures of a policy on a day. Unearned premium is what is left of the written premium. */
export interface PolicyFigures {
  readonly isInForce: boolean;
  readonly premiumInForce: MinorUnits;
  readonly written: MinorUnits;
  readonly earned: MinorUnits;
  readonly returned: MinorUnits;
}

function toBookTerm({ from, through, isWithdrawn, premium }: PolicyTerm): BookTerm {
  return { from, through, isWithdrawn, premium: parseSum(premium) };
}

export function isFirstEvent(event: RecordedEvent<PolicyEvent>): event is RecordedEvent<FirstPolicyEvent> {
  return event.type === 'PolicyImported' || event.type === 'PolicyPurchased';
}

/** Folds an event into a policy. @throws {Error} when an event comes before the policy exists */
export function foldBookPolicy(policy: BookPolicy | undefined, event: RecordedEvent<PolicyEvent>): BookPolicy {
  if (isFirstEvent(event)) return { lifecycle: firstLifecycle(event, toBookTerm) };
  if (policy === undefined) throw new Error(`${event.type} in ${event.stream} before the policy exists`);
  return { lifecycle: evolveLifecycle(policy.lifecycle, event, toBookTerm) };
}

export function policyFiguresOn({ lifecycle }: BookPolicy, day: Day): PolicyFigures {
  const begun = lifecycle.terms.filter((term) => hasBegun(lifecycle, term, day));
  const isCovered = isInForce(lifecycle, day);
  const inForce = isCovered ? begun.filter(({ through }) => day <= through) : [];
  return {
    isInForce: isCovered,
    premiumInForce: total(inForce, ({ premium }) => premium),
    written: total(begun, ({ premium }) => premium),
    earned: total(begun, (term) => earnedOn(lifecycle, term, day)),
    returned: total(begun, (term) => returnedOf(lifecycle, term)),
  };
}

function total(terms: readonly BookTerm[], amount: (term: BookTerm) => MinorUnits): MinorUnits {
  return terms.reduce((sum, term) => sum + amount(term), 0n);
}

function earnedOn(lifecycle: Lifecycle<BookTerm>, term: BookTerm, day: Day): MinorUnits {
  const { coverFrom, end } = lifecycle;
  if (coverFrom === null || day < coverFrom) return 0n;
  if (end !== null) return term.premium - returnedOf(lifecycle, term);
  const last = day < term.through ? day : term.through;
  return divideHalfUp(term.premium * BigInt(daysBetween(term.from, last) + 1), BigInt(daysOf(term)));
}

function returnedOf({ cancellation }: Lifecycle<BookTerm>, term: BookTerm): MinorUnits {
  const entry = cancellation?.returned.find(({ from, through }) => from === term.from && through === term.through);
  return entry === undefined ? 0n : parseSum(entry.premium);
}

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
