import { z } from 'zod';
import { type Day, day } from '../../src/event-sourcing/time.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import {
  type ClaimEvent,
  ClaimPaid,
  ClaimPaymentRejected,
  ClaimPaymentReversed,
} from '../../src/domain/claim/claim-events.ts';
import { type ClaimState, claim, claimIds, claimStream, claimTags } from '../../src/domain/claim/claim.ts';
import { paidOf, payableOf } from '../../src/domain/claim/settlement.ts';
import { type PaymentRefusal, placeOf, refusalOfPayment } from '../../src/domain/policy/claim-payments.ts';
import { policy, policyIds, policyStream, policyTags } from '../../src/domain/policy/policy.ts';
import {
  ClaimPaymentBooked,
  ClaimPaymentRefused,
  ClaimPaymentUnbooked,
} from '../../src/domain/policy/policy-events.ts';
import { dayIn } from '../../src/domain/values/dates.ts';
import { formatMoney, parseSum } from '../../src/domain/values/money.ts';
import { larger } from '../../src/domain/values/price.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { type CommandContext, defineChange, defineCommand } from '../command.ts';
import { requireExisting } from '../shared/require-existing.ts';
import { resourceId } from '../shared/fields.ts';

/** Returns the id of the payment that the policy has not booked yet, or whose reversal it has not; undefined when there is none. */
export function pendingId({ pending }: ClaimState): string | undefined {
  if (pending === null) return undefined;
  return pending.kind === 'payment' ? pending.payment.paymentId : pending.paymentId;
}

const onPolicy = {
  roles: [],
  process: 'scheduler',
  changesOneStream: true,
  aggregate: policy,
  find: async ({ policy_id: policyId }: { readonly policy_id: string }, context: CommandContext) =>
    requireExisting(
      await context.loadTarget(policy, policyStream(policyId)),
      'policy_not_found',
      'There is no such policy',
    ),
  tags: policyTags,
} as const;

/**
 * Books a payment on the policy, or records that it is refused: from here on one of them is final, whichever process finishes the payment. The command id
 * derives from the payment.
 * @throws {Refusal} `incident_no_longer_covered` of an imported payment
 */
export const bookClaimPayment = defineChange({
  ...onPolicy,
  name: 'BookClaimPayment',
  summary: 'Books a payment of a claim on its policy, or refuses it.',
  input: z.strictObject({
    policy_id: resourceId,
    claim_id: resourceId,
    payment_id: resourceId,
    coverage_name: z.string().nullable(),
    incident_date: day,
    amount: z.string(),
    paid_on: day,
    /** Payments of another book are booked whatever the limit is. */
    is_imported: z.boolean(),
  }),
  identity: ({ payment_id: paymentId }) => [paymentId],
  decide(state, command) {
    const { claim_id: claimId, payment_id: paymentId, paid_on: effectiveAt, amount } = command;
    const { coverage_name: coverageName, incident_date: incidentDate, is_imported: isImported } = command;
    const ids = { ...policyIds(state), claimId, paymentId, effectiveAt };
    const place = placeOf(state, incidentDate);
    const refused = isImported ? undefined : refusalOfPayment(state, { incidentDate, coverageName, amount });
    if (refused !== undefined) return [{ type: ClaimPaymentRefused.type, data: { ...ids, ...refused } }];
    if (place === undefined) throw noLongerCovered(incidentDate);
    const booked = { termId: place.term.termId, coverageName, incidentDate, amount };
    return [{ type: ClaimPaymentBooked.type, data: { ...ids, ...booked } }];
  },
});

/** Takes a booked payment off the policy. The command id derives from the payment. */
export const unbookClaimPayment = defineChange({
  ...onPolicy,
  name: 'UnbookClaimPayment',
  summary: 'Takes a reversed payment of a claim off its policy.',
  input: z.strictObject({ policy_id: resourceId, claim_id: resourceId, payment_id: resourceId, today: day }),
  identity: ({ payment_id: paymentId }) => [paymentId],
  decide(state, { claim_id: claimId, payment_id: paymentId, today }) {
    const data = { ...policyIds(state), claimId, paymentId, effectiveAt: today };
    return state.payments.some((payment) => payment.paymentId === paymentId)
      ? [{ type: ClaimPaymentUnbooked.type, data }]
      : [];
  },
});

/** How the policy answered: undefined when it did what was asked. */
type Booking = PaymentRefusal | undefined;

/** Ends a payment, or a reversal, that the policy has booked or refused. */
function decideEnd(
  state: ClaimState,
  { refused, today }: { readonly refused: Booking; readonly today: Day },
): readonly NewEvent<ClaimEvent>[] {
  const { pending } = state;
  if (pending === null) return [];
  if (pending.kind === 'reversal') {
    const { paymentId, reason, effectiveAt } = pending;
    const reversed = state.payments.find((payment) => payment.paymentId === paymentId);
    const amount = reversed?.amount ?? '0.00';
    const outstanding = leftOf(state, -parseSum(amount));
    const reopened = state.isOfferAccepted ? ('offer accepted' as const) : ('approved' as const);
    const stage = state.stage === 'paid' ? reopened : state.stage;
    const data = { ...claimIds(state), paymentId, amount, reason, stage, outstanding, effectiveAt };
    return [{ type: ClaimPaymentReversed.type, data }];
  }
  const { payment, isFinal } = pending;
  if (refused !== undefined) {
    const data = { ...claimIds(state), paymentId: payment.paymentId, ...refused, effectiveAt: today };
    return [{ type: ClaimPaymentRejected.type, data }];
  }
  const outstanding = isFinal ? '0.00' : leftOf(state, parseSum(payment.amount));
  const data = { ...claimIds(state), payment, isFinal, outstanding, effectiveAt: payment.paidOn };
  return [{ type: ClaimPaid.type, data }];
}

/** What is left to pay after another amount was paid. */
function leftOf(state: ClaimState, paid: bigint): string {
  return formatMoney(larger((payableOf(state) ?? 0n) - paidOf(state) - paid, 0n));
}

/**
 * Finishes a payment, or the reversal of one, that has started: books it on the policy, then records its end on the claim. Where it is
 * finished already, it records nothing.
 */
export const finishClaimPayment = defineCommand({
  name: 'FinishClaimPayment',
  summary: 'Finishes a payment of a claim, or its reversal.',
  input: z.strictObject({ claim_id: resourceId, payment_id: resourceId }),
  roles: [],
  process: 'scheduler',
  aggregate: claim,
  decide: decideEnd,
  handle: async ({ claim_id: claimId, payment_id: paymentId }, context) => {
    const stream = claimStream(claimId);
    const found = requireExisting(await context.loadTarget(claim, stream), 'claim_not_found', 'There is no such claim');
    const { state } = found;
    const tags = claimTags(state);
    if (pendingId(state) !== paymentId) return { target: found, events: [], tags };
    const today = dayIn(state.timeZone, context.now);
    const refused = await book(state, context);
    return { target: found, events: decideEnd(state, { refused, today }), tags };
  },
});

async function book(state: ClaimState, context: CommandContext): Promise<Booking> {
  const { pending, policyId: policy_id, claimId: claim_id } = state;
  if (pending === null) return undefined;
  if (pending.kind === 'reversal') {
    const { paymentId: payment_id, effectiveAt: today } = pending;
    await context.execute(unbookClaimPayment, { policy_id, claim_id, payment_id, today });
    return undefined;
  }
  const { paymentId, amount, paidOn: paid_on } = pending.payment;
  await context.execute(bookClaimPayment, {
    ...{ policy_id, claim_id, payment_id: paymentId, amount, paid_on, is_imported: false },
    coverage_name: pending.coverageName,
    incident_date: pending.incidentDate,
  });
  const { events } = await context.load(policy, policyStream(policy_id));
  const refused = events.find((event) => event.type === 'ClaimPaymentRefused' && event.data.paymentId === paymentId);
  if (refused?.type !== 'ClaimPaymentRefused') return undefined;
  const { reason, limitLeft } = refused.data;
  return { reason, limitLeft };
}

/** Returns the refusal of a payment that the policy does not book. @param limitLeft what is left of the limit of the coverage */
export function paymentRefusal({ reason, limitLeft }: PaymentRefusal, incidentDate: Day): Refusal {
  if (reason === 'incident_no_longer_covered' || limitLeft === null) return noLongerCovered(incidentDate);
  return amountTooHigh('paid_amount', limitLeft, 'what is left of the limit of the coverage');
}

/** Returns the refusal of an amount above the highest one allowed. @param why what the limit is, in the words of the message */
export function amountTooHigh(field: string, limit: string, why: string): Refusal {
  const message = `must be at most ${limit}, ${why}`;
  return new Refusal('amount_too_high', `${field}: ${message}`, { fields: [{ field, message }], members: { limit } });
}

/** Returns the refusal of an incident whose cover was taken back after the filing. */
export function noLongerCovered(incidentDate: Day): Refusal {
  return new Refusal(
    'incident_no_longer_covered',
    `The policy does not cover the incident of ${incidentDate} any more`,
  );
}
