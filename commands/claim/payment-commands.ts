import { z } from 'zod';
import { day } from '../../src/event-sourcing/time.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import {
  type ClaimEvent,
  ClaimPaid,
  ClaimPaymentRejected,
  ClaimPaymentReversed,
} from '../../src/domain/claim/claim-events.ts';
import { type ClaimState, claim, claimIds, claimStream, claimTags } from '../../src/domain/claim/claim.ts';
import { paidOf, payableOf } from '../../src/domain/claim/settlement.ts';
import { coverageNamed, paidUnder, placeOf } from '../../src/domain/policy/claim-payments.ts';
import { type PolicyState, policy, policyIds, policyStream, policyTags } from '../../src/domain/policy/policy.ts';
import { ClaimPaymentBooked, ClaimPaymentUnbooked } from '../../src/domain/policy/policy-events.ts';
import { dayIn } from '../../src/domain/values/dates.ts';
import { formatMoney, parseSum } from '../../src/domain/values/money.ts';
import { larger } from '../../src/domain/values/price.ts';
import { Refusal, type RefusalCode } from '../../src/domain/refusals.ts';
import { type CommandContext, defineChange, defineCommand } from '../command.ts';
import { requireExisting } from '../shared/require-existing.ts';
import { resourceId } from '../shared/fields.ts';

/** Refusals of the policy that end a payment. */
const REJECTING: readonly RefusalCode[] = ['amount_too_high', 'incident_no_longer_covered'];

/** Returns the id of the payment that the policy has not booked yet, or whose reversal it has not; undefined when there is none. */
export function pendingId({ pending }: ClaimState): string | undefined {
  if (pending === null) return undefined;
  return pending.kind === 'payment' ? pending.payment.paymentId : pending.paymentId;
}

const onPolicy = {
  roles: [],
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
 * Books a payment on the policy: from here on it is made. The command id derives from the payment.
 * @throws {Refusal} `incident_no_longer_covered`; `amount_too_high` when the limit of the coverage would be passed
 */
export const bookClaimPayment = defineChange({
  ...onPolicy,
  name: 'BookClaimPayment',
  summary: 'Books a payment of a claim on its policy.',
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
    const { payment_id: paymentId, coverage_name: coverageName, incident_date: incidentDate, amount } = command;
    const place = placeOf(state, incidentDate);
    if (place === undefined)
      throw new Refusal('incident_no_longer_covered', `The policy does not cover ${incidentDate} any more`);
    const limit = coverageName === null ? null : (coverageNamed(place.coverages, coverageName)?.limit ?? null);
    if (limit !== null && coverageName !== null && !command.is_imported) {
      const left = parseSum(limit) - paidUnder(state, place.term, coverageName);
      if (parseSum(amount) > left) throw limitPassed(larger(left, 0n));
    }
    const booked = {
      claimId: command.claim_id,
      paymentId,
      termId: place.term.termId,
      coverageName,
      incidentDate,
      amount,
    };
    return [{ type: ClaimPaymentBooked.type, data: { ...policyIds(state), ...booked, effectiveAt: command.paid_on } }];
  },
});

/** Returns the refusal of a payment that would pass the limit of a coverage. @param left what is left of it */
export function limitPassed(left: bigint): Refusal {
  const message = `must be at most ${formatMoney(left)}, what is left of the limit of the coverage`;
  const fields = [{ field: 'paid_amount', message }];
  return new Refusal('amount_too_high', `paid_amount: ${message}`, { fields, members: { limit: formatMoney(left) } });
}

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

/** How the policy answered. */
type Booking = { readonly kind: 'booked' } | { readonly kind: 'refused'; readonly reason: RefusalCode };

/** Ends a payment, or a reversal, that the policy has booked or refused. */
function decideEnd(
  state: ClaimState,
  { booking, today }: { readonly booking: Booking; readonly today: string },
): readonly NewEvent<ClaimEvent>[] {
  const { pending } = state;
  if (pending === null) return [];
  if (pending.kind === 'reversal') {
    const { paymentId, reason } = pending;
    const reversed = state.payments.find((payment) => payment.paymentId === paymentId);
    const amount = reversed?.amount ?? '0.00';
    const outstanding = leftOf(state, -parseSum(amount));
    const reopened = state.isOfferAccepted ? ('offer accepted' as const) : ('approved' as const);
    const stage = state.stage === 'paid' ? reopened : state.stage;
    const data = { ...claimIds(state), paymentId, amount, reason, stage, outstanding, effectiveAt: today };
    return [{ type: ClaimPaymentReversed.type, data }];
  }
  const { payment, isFinal } = pending;
  if (booking.kind === 'refused') {
    const data = { ...claimIds(state), paymentId: payment.paymentId, reason: booking.reason, effectiveAt: today };
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
  aggregate: claim,
  decide: decideEnd,
  handle: async ({ claim_id: claimId, payment_id: paymentId }, context) => {
    const stream = claimStream(claimId);
    const found = requireExisting(await context.loadTarget(claim, stream), 'claim_not_found', 'There is no such claim');
    const { state } = found;
    const tags = claimTags(state);
    if (pendingId(state) !== paymentId) return { target: found, events: [], tags };
    const today = dayIn(state.timeZone, context.now);
    const booking = await book(state, today, context);
    return { target: found, events: decideEnd(state, { booking, today }), tags };
  },
});

async function book(state: ClaimState, today: string, context: CommandContext): Promise<Booking> {
  const { pending, policyId: policy_id, claimId: claim_id } = state;
  if (pending?.kind === 'reversal') {
    await context.execute(unbookClaimPayment, { policy_id, claim_id, payment_id: pending.paymentId, today });
    return { kind: 'booked' };
  }
  if (pending === null) return { kind: 'booked' };
  const { paymentId: payment_id, amount, paidOn: paid_on } = pending.payment;
  try {
    await context.execute(bookClaimPayment, {
      ...{ policy_id, claim_id, payment_id, amount, paid_on, is_imported: false },
      coverage_name: state.coverage?.name ?? null,
      incident_date: state.details.incidentDate,
    });
    return { kind: 'booked' };
  } catch (error) {
    if (error instanceof Refusal && REJECTING.includes(error.code)) return { kind: 'refused', reason: error.code };
    throw error;
  }
}

/** Returns the refusal of a payment that the policy has not booked. */
export function rejection(reason: string, state: ClaimState, policyState: PolicyState): Refusal {
  if (reason === 'amount_too_high' && state.coverage?.limit !== null && state.coverage !== null) {
    const place = placeOf(policyState, state.details.incidentDate);
    const paid = place === undefined ? 0n : paidUnder(policyState, place.term, state.coverage.name);
    return limitPassed(larger(parseSum(state.coverage.limit) - paid, 0n));
  }
  return new Refusal('incident_no_longer_covered', `The policy does not cover ${state.details.incidentDate} any more`);
}
