import { ClaimDenied, type ClaimEvent, type ClaimState } from '../../src/domain/claim/claim.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { checkMove, defineMove, note } from './claim-move.ts';

/** @throws {Refusal} `claim_move_not_allowed` */
export function decideDenial(state: ClaimState, told: { readonly reason: string }): readonly NewEvent<ClaimEvent>[] {
  const ids = checkMove(state, 'denied');
  return [{ type: ClaimDenied.type, data: { ...ids, reason: told.reason } }];
}

export const denyClaim = defineMove({
  name: 'DenyClaim',
  summary: 'Denies a claim that is not approved, or whose offer was not accepted.',
  fields: { reason: note },
  decide: decideDenial,
});
