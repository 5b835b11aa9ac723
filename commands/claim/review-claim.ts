import { ClaimReviewStarted, type ClaimEvent, type ClaimState } from '../../src/domain/claim/claim.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { checkMove, defineMove, note } from './claim-move.ts';

/** @throws {Refusal} `claim_move_not_allowed` */
export function decideReview(
  state: ClaimState,
  told: { readonly note?: string | undefined },
): readonly NewEvent<ClaimEvent>[] {
  const ids = checkMove(state, 'under review');
  return [{ type: ClaimReviewStarted.type, data: { ...ids, note: told.note ?? null } }];
}

export const reviewClaim = defineMove({
  name: 'ReviewClaim',
  summary: 'Takes a submitted claim under review.',
  fields: { note: note.optional() },
  decide: decideReview,
});
