import { ClaimPaid, type ClaimEvent, type ClaimState } from '../../src/domain/claim/claim.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { amount, checkMove, defineMove, storedAmount } from './claim-move.ts';

/** @throws {Refusal} `claim_move_not_allowed` */
export function decidePayment(
  state: ClaimState,
  told: { readonly paid_amount?: string | undefined },
): readonly NewEvent<ClaimEvent>[] {
  const ids = checkMove(state, 'paid');
  return [{ type: ClaimPaid.type, data: { ...ids, paidAmount: storedAmount(told.paid_amount) } }];
}

export const payClaim = defineMove({
  name: 'PayClaim',
  summary: 'Records that an approved claim or an accepted offer was paid.',
  fields: { paid_amount: amount.optional() },
  decide: decidePayment,
});
