import { ClaimSentForApproval, type ClaimEvent, type ClaimState } from '../../src/domain/claim/claim.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { checkMove, defineMove, note } from './claim-move.ts';

/** @throws {Refusal} `claim_move_not_allowed` */
export function decideSendForApproval(
  state: ClaimState,
  told: { readonly note?: string | undefined },
): readonly NewEvent<ClaimEvent>[] {
  const ids = checkMove(state, 'pending approval');
  return [{ type: ClaimSentForApproval.type, data: { ...ids, note: told.note ?? null } }];
}

export const sendClaimForApproval = defineMove({
  name: 'SendClaimForApproval',
  summary: 'Sends a claim under review for approval.',
  fields: { note: note.optional() },
  decide: decideSendForApproval,
});
