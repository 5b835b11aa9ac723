import { lastTerm } from '#domain/policy/cover.ts';
import type { PolicyState } from '#domain/policy/policy.ts';
import { refusalsOf } from '#domain/refusals.ts';
import type { Day } from '#event-sourcing/time.ts';
import { parseSum, sumInput } from '#domain/values/money.ts';

const refuseEnded = refusalsOf('policy_already_cancelled');
const refuseActive = refusalsOf('policy_already_active');
const refuseExpired = refusalsOf('policy_expired');
export const checkNoEndErrors = refuseEnded.codes;
export const checkAcceptedErrors = [...refuseEnded.codes, ...refuseActive.codes];
export const checkNotExpiredErrors = refuseExpired.codes;

/** Checks that no end is recorded, not even one that is still to come. @throws {Refusal} */
export function checkNoEnd({ end }: PolicyState): void {
  if (end !== null)
    throw refuseEnded('policy_already_cancelled', `The policy was cancelled; its last day is ${end.day}`);
}

/** Checks that cover has not begun. @throws {Refusal} */
export function checkAccepted(state: PolicyState): void {
  checkNoEnd(state);
  if (state.status === 'active') throw refuseActive('policy_already_active', 'The policy is active already');
}

/** Returns why a policy can be neither renewed nor changed, whatever the day is: its end is recorded, or it waits. */
export function reasonClosed({ end, waits }: PolicyState): string | undefined {
  if (end !== null) return 'it is cancelled';
  return waits ? 'it waits for inspection or certification' : undefined;
}

/**
 * Returns whether the last term is over; a policy that waits has no such day.
 * @param today in the zone of the policy
 */
export function hasRunOut(state: PolicyState, today: Day): boolean {
  return !state.waits && today > lastTerm(state).through;
}

/** Checks that the last term is not over. @param today in the zone of the policy @throws {Refusal} */
export function checkNotExpired(state: PolicyState, today: Day): void {
  if (hasRunOut(state, today))
    throw refuseExpired('policy_expired', `The last term of the policy ended on ${lastTerm(state).through}`);
}

const refuse = refusalsOf('amount_changed');
export const checkExpectedAmountErrors = refuse.codes;

/** The amount that a client expects; the request is refused when the amount has changed. */
export function expectedAmount(what: string) {
  return sumInput.optional().meta({ description: `${what}, as a preview showed it: another amount is refused` });
}

/**
 * Checks that an amount is the one that the client expects, for example by a preview.
 * @throws {Refusal} with `amount`
 */
export function checkExpectedAmount(expected: string | undefined, amount: string): void {
  if (expected === undefined || parseSum(expected) === parseSum(amount)) return;
  const fields = [{ field: 'expected_amount', message: `is ${amount} now` }];
  throw refuse('amount_changed', `The amount is ${amount} now`, { fields, members: { amount } });
}
