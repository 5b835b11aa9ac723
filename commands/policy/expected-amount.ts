import { parseSum, sumInput } from '#domain/values/money.ts';
import { refusalsOf } from '#domain/refusals.ts';

const refuse = refusalsOf('amount_changed');
export const checkExpectedAmountErrors = refuse.codes;

/** The amount that a client expects; the request is refused when the amount has changed. */
export function expectedAmount(what: string) {
  return sumInput.optional().meta({ description: `${what}, as a preview showed it: another amount is refused` });
}

/** Checks that an amount is the one that the client expects, for example by a preview. @throws {Refusal} with `amount` */
export function checkExpectedAmount(expected: string | undefined, amount: string): void {
  if (expected === undefined || parseSum(expected) === parseSum(amount)) return;
  const fields = [{ field: 'expected_amount', message: `is ${amount} now` }];
  throw refuse('amount_changed', `The amount is ${amount} now`, { fields, members: { amount } });
}
