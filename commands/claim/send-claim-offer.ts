import { ClaimOfferSent, type ClaimEvent, type ClaimState } from '../../src/domain/claim/claim.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { canonicalMoney } from '../../src/domain/values/money.ts';
import { amount, checkMove, defineMove } from './claim-move.ts';

/** @throws {Refusal} `claim_move_not_allowed` */
export function decideOffer(
  state: ClaimState,
  told: { readonly offer_amount: string },
): readonly NewEvent<ClaimEvent>[] {
  const ids = checkMove(state, 'offer sent');
  return [{ type: ClaimOfferSent.type, data: { ...ids, offerAmount: canonicalMoney(told.offer_amount) } }];
}

export const sendClaimOffer = defineMove({
  name: 'SendClaimOffer',
  summary: 'Offers an amount for an approved claim.',
  fields: { offer_amount: amount },
  decide: decideOffer,
});
