import { z } from 'zod';
import {
  ClaimApproved,
  ClaimDenied,
  ClaimOfferAccepted,
  ClaimOfferRejected,
  ClaimOfferSent,
  ClaimPaid,
  ClaimReviewStarted,
  ClaimSentForApproval,
} from '../../src/domain/claim/claim-events.ts';
import { type ClaimIds, type ClaimState, claimIds } from '../../src/domain/claim/claim.ts';
import { MOVES, type Stage, statusOf } from '../../src/domain/claim/stages.ts';
import type { Day, Instant } from '../../src/event-sourcing/time.ts';
import { dayIn } from '../../src/domain/values/dates.ts';
import { type AmountLimit, approvalLimit, offerLimit, paymentLimit } from '../../src/domain/claim/settlement.ts';
import { canonicalMoney, moneyNotNegativeInput, parseMoney } from '../../src/domain/values/money.ts';
import { Refusal, wrongField } from '../../src/domain/refusals.ts';
import { defineChange } from '../command.ts';
import { resourceId, text } from '../shared/fields.ts';
import { changeOfClaim, claimIdOrReference } from './find-claim.ts';

/** Checks a move and returns the ids and the day of its event. @throws {Refusal} `claim_move_not_allowed` */
function checkMove(state: ClaimState, to: Stage, now: Instant): ClaimIds & { readonly effectiveAt: Day } {
  if (!MOVES[state.stage].includes(to)) {
    const allowed = MOVES[state.stage];
    throw new Refusal(
      'claim_move_not_allowed',
      `A claim that is ${state.stage} cannot become ${to}; allowed: ${allowed.join(' or ') || 'nothing'}`,
      { members: { allowed } },
    );
  }
  return { effectiveAt: dayIn(state.timeZone, now), ...claimIds(state) };
}

/**
 * Returns the amount of a move: as given, else its limit.
 * @throws {Refusal} `amount_too_high`; `invalid_request` when there is neither
 */
function amountWithin(limit: AmountLimit | undefined, field: string, given: string | undefined): string {
  if (limit === undefined) {
    if (given === undefined) throw wrongField(field, 'is required, because no earlier amount of the claim is known');
    return canonicalMoney(given);
  }
  if (given === undefined) return limit.amount;
  if (parseMoney(given) <= parseMoney(limit.amount)) return canonicalMoney(given);
  const message = `must be at most ${limit.amount}, the ${limit.name}`;
  throw new Refusal('amount_too_high', `${field}: ${message}`, {
    fields: [{ field, message }],
    members: { limit: limit.amount },
  });
}

export function claimStatusResult({ state }: { readonly state: ClaimState }) {
  return { claim_status: statusOf(state.stage) };
}

/** What the moves have in common. Each is refused unless `MOVES` allows it. */
const claimMove = { ...changeOfClaim, roles: ['admin'], changesOneStream: true, result: claimStatusResult } as const;

/** A note or a reason is added to the notes of the claim. */
const note = text(2000);
const amount = moneyNotNegativeInput.optional();

export const reviewClaim = defineChange({
  ...claimMove,
  name: 'ReviewClaim',
  summary: 'Takes a submitted claim under review.',
  input: z.strictObject({ claim_id: resourceId, note: note.optional() }),
  decide(state, { now, note: added = null }) {
    const ids = checkMove(state, 'under review', now);
    return [{ type: ClaimReviewStarted.type, data: { ...ids, note: added } }];
  },
});

export const sendClaimForApproval = defineChange({
  ...claimMove,
  name: 'SendClaimForApproval',
  summary: 'Sends a claim under review for approval.',
  input: z.strictObject({ claim_id: resourceId, note: note.optional() }),
  decide(state, { now, note: added = null }) {
    const ids = checkMove(state, 'pending approval', now);
    return [{ type: ClaimSentForApproval.type, data: { ...ids, note: added } }];
  },
});

export const approveClaim = defineChange({
  ...claimMove,
  name: 'ApproveClaim',
  summary: 'Approves a claim that waits for approval.',
  input: z.strictObject({ claim_id: resourceId, approved_amount: amount }),
  decide(state, { now, approved_amount }) {
    const ids = checkMove(state, 'approved', now);
    const approvedAmount = amountWithin(approvalLimit(state), 'approved_amount', approved_amount);
    return [{ type: ClaimApproved.type, data: { ...ids, approvedAmount } }];
  },
});

export const sendClaimOffer = defineChange({
  ...claimMove,
  name: 'SendClaimOffer',
  summary: 'Offers an amount for an approved claim.',
  input: z.strictObject({ claim_id: resourceId, offer_amount: amount }),
  decide(state, { now, offer_amount }) {
    const ids = checkMove(state, 'offer sent', now);
    const offerAmount = amountWithin(offerLimit(state), 'offer_amount', offer_amount);
    return [{ type: ClaimOfferSent.type, data: { ...ids, offerAmount } }];
  },
});

export const acceptClaimOffer = defineChange({
  ...claimMove,
  name: 'AcceptClaimOffer',
  summary: 'Records that the claimant accepted the offer.',
  input: z.strictObject({ claim_id: claimIdOrReference }),
  roles: ['merchant', 'admin'],
  decide(state, { now }) {
    return [{ type: ClaimOfferAccepted.type, data: checkMove(state, 'offer accepted', now) }];
  },
});

export const rejectClaimOffer = defineChange({
  ...claimMove,
  name: 'RejectClaimOffer',
  summary: 'Records that the claimant rejected the offer.',
  input: z.strictObject({ claim_id: claimIdOrReference, reason: note }),
  roles: ['merchant', 'admin'],
  decide(state, { now, reason }) {
    const ids = checkMove(state, 'offer rejected', now);
    return [{ type: ClaimOfferRejected.type, data: { ...ids, reason } }];
  },
});

export const payClaim = defineChange({
  ...claimMove,
  name: 'PayClaim',
  summary: 'Records that an approved claim or an accepted offer was paid.',
  input: z.strictObject({ claim_id: resourceId, paid_amount: amount }),
  decide(state, { now, paid_amount }) {
    const ids = checkMove(state, 'paid', now);
    const paidAmount = amountWithin(paymentLimit(state), 'paid_amount', paid_amount);
    return [{ type: ClaimPaid.type, data: { ...ids, paidAmount } }];
  },
});

export const denyClaim = defineChange({
  ...claimMove,
  name: 'DenyClaim',
  summary: 'Denies a claim that is not approved yet, or whose offer is open or was rejected.',
  input: z.strictObject({ claim_id: resourceId, reason: note }),
  decide(state, { now, reason }) {
    const ids = checkMove(state, 'denied', now);
    return [{ type: ClaimDenied.type, data: { ...ids, reason } }];
  },
});
