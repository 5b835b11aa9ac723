import { z } from 'zod';
import {
  ClaimApproved,
  ClaimDenied,
  type ClaimEvent,
  ClaimOfferAccepted,
  ClaimOfferRejected,
  ClaimOfferSent,
  ClaimPaid,
  ClaimReviewStarted,
  ClaimSentForApproval,
} from '../../src/domain/claim/claim-events.ts';
import { type ClaimIds, type ClaimState, claim, claimIds, claimTags } from '../../src/domain/claim/claim.ts';
import { MOVES, type Stage, statusOf } from '../../src/domain/claim/stages.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import type { Day } from '../../src/event-sourcing/time.ts';
import { dayIn } from '../../src/domain/values/dates.ts';
import { type AmountLimit, approvalLimit, offerLimit, paymentLimit } from '../../src/domain/claim/settlement.ts';
import { canonicalMoney, moneyNotNegativeInput, parseMoney } from '../../src/domain/values/money.ts';
import { Refusal, wrongField } from '../../src/domain/refusals.ts';
import type { CommandDefinition } from '../../src/command-handling/command.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { resourceId, text } from '../shared/fields.ts';
import { claimKey, findClaim } from './find-claim.ts';

type Events = readonly NewEvent<ClaimEvent>[];

/** A move on a day in the zone of the claim, with the fields of its body. */
type Moved<Fields = object> = Fields & { readonly today: Day };

/** @throws {Refusal} `claim_move_not_allowed` */
function decideReview(state: ClaimState, { today, note }: Moved<{ readonly note?: string | undefined }>): Events {
  const ids = checkMove(state, 'under review', today);
  return [{ type: ClaimReviewStarted.type, data: { ...ids, note: note ?? null } }];
}

/** @throws {Refusal} `claim_move_not_allowed` */
function decideSendForApproval(
  state: ClaimState,
  { today, note }: Moved<{ readonly note?: string | undefined }>,
): Events {
  const ids = checkMove(state, 'pending approval', today);
  return [{ type: ClaimSentForApproval.type, data: { ...ids, note: note ?? null } }];
}

/** @throws {Refusal} `claim_move_not_allowed`, `amount_too_high`; `invalid_request` when the amount is required */
function decideApproval(
  state: ClaimState,
  { today, approved_amount }: Moved<{ readonly approved_amount?: string | undefined }>,
): Events {
  const ids = checkMove(state, 'approved', today);
  const approvedAmount = amountWithin(approvalLimit(state), 'approved_amount', approved_amount);
  return [{ type: ClaimApproved.type, data: { ...ids, approvedAmount } }];
}

/** @throws {Refusal} `claim_move_not_allowed`, `amount_too_high`; `invalid_request` when the amount is required */
function decideOffer(
  state: ClaimState,
  { today, offer_amount }: Moved<{ readonly offer_amount?: string | undefined }>,
): Events {
  const ids = checkMove(state, 'offer sent', today);
  const offerAmount = amountWithin(offerLimit(state), 'offer_amount', offer_amount);
  return [{ type: ClaimOfferSent.type, data: { ...ids, offerAmount } }];
}

/** @throws {Refusal} `claim_move_not_allowed` */
function decideOfferAcceptance(state: ClaimState, { today }: Moved): Events {
  const ids = checkMove(state, 'offer accepted', today);
  return [{ type: ClaimOfferAccepted.type, data: ids }];
}

/** @throws {Refusal} `claim_move_not_allowed`, `amount_too_high`; `invalid_request` when the amount is required */
function decidePayment(
  state: ClaimState,
  { today, paid_amount }: Moved<{ readonly paid_amount?: string | undefined }>,
): Events {
  const ids = checkMove(state, 'paid', today);
  const paidAmount = amountWithin(paymentLimit(state), 'paid_amount', paid_amount);
  return [{ type: ClaimPaid.type, data: { ...ids, paidAmount } }];
}

/** @throws {Refusal} `claim_move_not_allowed` */
function decideOfferRejection(state: ClaimState, { today, reason }: Moved<{ readonly reason: string }>): Events {
  const ids = checkMove(state, 'offer rejected', today);
  return [{ type: ClaimOfferRejected.type, data: { ...ids, reason } }];
}

/** @throws {Refusal} `claim_move_not_allowed` */
function decideDenial(state: ClaimState, { today, reason }: Moved<{ readonly reason: string }>): Events {
  const ids = checkMove(state, 'denied', today);
  return [{ type: ClaimDenied.type, data: { ...ids, reason } }];
}

/** Checks a move and returns the ids and the day of its event. @throws {Refusal} `claim_move_not_allowed` */
function checkMove(state: ClaimState, to: Stage, today: Day): ClaimIds & { readonly effectiveAt: Day } {
  if (!MOVES[state.stage].includes(to)) {
    const allowed = MOVES[state.stage];
    throw new Refusal(
      'claim_move_not_allowed',
      `A claim that is ${state.stage} cannot become ${to}; allowed: ${allowed.join(' or ') || 'nothing'}`,
      { members: { allowed } },
    );
  }
  return { effectiveAt: today, ...claimIds(state) };
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

/** A note or a reason is added to the notes of the claim. */
const note = text(2000);

export const reviewClaim = defineMove({
  name: 'ReviewClaim',
  summary: 'Takes a submitted claim under review.',
  fields: { note: note.optional() },
  decide: decideReview,
});

export const sendClaimForApproval = defineMove({
  name: 'SendClaimForApproval',
  summary: 'Sends a claim under review for approval.',
  fields: { note: note.optional() },
  decide: decideSendForApproval,
});

export const approveClaim = defineMove({
  name: 'ApproveClaim',
  summary: 'Approves a claim that waits for approval.',
  fields: { approved_amount: moneyNotNegativeInput.optional() },
  decide: decideApproval,
});

export const sendClaimOffer = defineMove({
  name: 'SendClaimOffer',
  summary: 'Offers an amount for an approved claim.',
  fields: { offer_amount: moneyNotNegativeInput.optional() },
  decide: decideOffer,
});

export const acceptClaimOffer = defineMove({
  name: 'AcceptClaimOffer',
  summary: 'Records that the claimant accepted the offer.',
  forMerchants: true,
  fields: {},
  decide: decideOfferAcceptance,
});

export const rejectClaimOffer = defineMove({
  name: 'RejectClaimOffer',
  summary: 'Records that the claimant rejected the offer.',
  forMerchants: true,
  fields: { reason: note },
  decide: decideOfferRejection,
});

export const payClaim = defineMove({
  name: 'PayClaim',
  summary: 'Records that an approved claim or an accepted offer was paid.',
  fields: { paid_amount: moneyNotNegativeInput.optional() },
  decide: decidePayment,
});

export const denyClaim = defineMove({
  name: 'DenyClaim',
  summary: 'Denies a claim that is not approved yet, or whose offer is open or was rejected.',
  fields: { reason: note },
  decide: decideDenial,
});

interface Move<Shape extends z.ZodRawShape> {
  readonly name: string;
  readonly summary: string;
  /** Whether merchants may run it. */
  readonly forMerchants?: true;
  /** Fields of the body besides `claim_id`. */
  readonly fields: Shape;
  readonly decide: (state: ClaimState, move: Moved<z.output<z.ZodObject<Shape, z.core.$strict>>>) => Events;
}

export function claimStatusResult({ state }: { readonly state: ClaimState }) {
  return { claim_status: statusOf(state.stage) };
}

/** Defines the command of a move, which is refused unless `MOVES` allows it. */
function defineMove<Shape extends z.ZodRawShape>(move: Move<Shape>) {
  const schema = z.strictObject({ claim_id: move.forMerchants ? claimKey : resourceId, ...move.fields });
  type MoveInput = z.output<typeof schema>;
  const definition: CommandDefinition<typeof schema, ClaimEvent, CommandContext, ClaimState> = {
    name: move.name,
    summary: move.summary,
    input: schema,
    roles: move.forMerchants ? ['merchant', 'admin'] : ['admin'],
    takesIfMatch: true,
    changesOneStream: true,
    aggregate: claim,
    decide: move.decide,
    handle: async (input: MoveInput, context) => {
      const { claim_id: claimId } = input as { readonly claim_id: string };
      const found = await findClaim(context, claimId);
      context.checkIfMatch(found);
      const today = dayIn(found.state.timeZone, context.now);
      const events = move.decide(found.state, { ...(input as z.output<z.ZodObject<Shape, z.core.$strict>>), today });
      return { target: found, events, tags: claimTags(found.state) };
    },
    result: claimStatusResult,
  };
  return defineCommand(definition);
}
