import { ClaimOfferAccepted, type ClaimEvent, type ClaimState } from '../../src/domain/claim/claim.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { checkMove, defineMove } from './claim-move.ts';

/** @throws {Refusal} `claim_move_not_allowed` */
export function decideOfferAcceptance(state: ClaimState): readonly NewEvent<ClaimEvent>[] {
  const ids = checkMove(state, 'offer accepted');
  return [{ type: ClaimOfferAccepted.type, data: ids }];
}

export const acceptClaimOffer = defineMove({
  name: 'AcceptClaimOffer',
  summary: 'Records that the claimant accepted the offer.',
  fields: {},
  decide: decideOfferAcceptance,
});
