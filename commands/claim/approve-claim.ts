import { ClaimApproved, type ClaimEvent, type ClaimState } from '../../src/domain/claim/claim.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { amount, checkMove, defineMove, storedAmount } from './claim-move.ts';

/** @throws {Refusal} `claim_move_not_allowed` */
export function decideApproval(
  state: ClaimState,
  told: { readonly approved_amount?: string | undefined },
): readonly NewEvent<ClaimEvent>[] {
  const ids = checkMove(state, 'approved');
  return [{ type: ClaimApproved.type, data: { ...ids, approvedAmount: storedAmount(told.approved_amount) } }];
}

export const approveClaim = defineMove({
  name: 'ApproveClaim',
  summary: 'Approves a claim that waits for approval.',
  fields: { approved_amount: amount.optional() },
  decide: decideApproval,
});
