import { z } from 'zod';
import type { Day } from '#event-sourcing/time.ts';
import type { NewEvent, RecordedEvent } from '#event-sourcing/event.ts';
import {
  type ClaimEvent,
  ClaimPaid,
  ClaimPaymentRejected,
  ClaimPaymentReversed,
  type Payment,
} from '#domain/claim/claim-events.ts';
import { type ClaimState, claim, claimIds, claimStream, claimTags, type PendingPayment } from '#domain/claim/claim.ts';
import { paidOf, payableOf } from '#domain/claim/settlement.ts';
import { type PaymentRefusal, coverOfIncident, refusalOfPayment } from '#domain/policy/claim-payments.ts';
import { type PolicyState, policy, policyIds, policyStream, policyTags } from '#domain/policy/policy.ts';
import {
  ClaimPaymentBooked,
  ClaimPaymentRefused,
  ClaimPaymentUnbooked,
  type PolicyEvent,
} from '#domain/policy/policy-events.ts';
import { dayIn } from '#domain/values/dates.ts';
import { formatMoney, parseSum } from '#domain/values/money.ts';
import { larger } from '#domain/values/price.ts';
import { type Refusal, refusalsOf } from '#domain/refusals.ts';
import { defineSystemCommand } from '../command.ts';
import { requireExisting } from '../shared/require-existing.ts';
import { resourceId } from '../shared/fields.ts';

const refuseAmount = refusalsOf('amount_too_high');
export const amountTooHighErrors = refuseAmount.codes;
const refuseIncident = refusalsOf('incident_no_longer_covered');
export const noLongerCoveredErrors = refuseIncident.codes;
export const paymentErrors = [...amountTooHighErrors, ...noLongerCoveredErrors];
const refuse = refusalsOf('claim_not_found', 'policy_not_found');

type DataOf<Type extends PolicyEvent['type']> = Extract<PolicyEvent, { readonly type: Type }>['data'];

/**
 * Returns the id of the payment that the policy has not booked yet, or whose reversal it has not; undefined when there
 * is none.
 */
export function pendingId({ pending }: ClaimState): string | undefined {
  if (pending === null) return undefined;
  return pending.kind === 'payment' ? pending.payment.paymentId : pending.paymentId;
}

/** A payment of a claim as its policy books it. */
interface PaymentToBook extends Pick<DataOf<'ClaimPaymentBooked'>, 'claimId' | 'coverageName' | 'incidentDate'> {
  readonly payment: Payment;
}

/** Returns the event that books a payment, whatever the limit is. @throws {Refusal} when it is not covered any more */
export function paymentBooked(state: PolicyState, { payment, ...incident }: PaymentToBook): NewEvent<PolicyEvent> {
  const cover = coverOfIncident(state, incident.incidentDate);
  if (cover === undefined) throw noLongerCovered(incident.incidentDate);
  const { paymentId, amount, paidOn: effectiveAt } = payment;
  const facts = { ...incident, paymentId, termId: cover.term.termId, amount, effectiveAt };
  return { type: ClaimPaymentBooked.type, data: { ...policyIds(state), ...facts } };
}

/**
 * Books a payment on the policy, or records that it is refused: from here on one of them is final, whichever process
 * finishes the payment.
 */
export function decideBooking(
  state: PolicyState,
  { claimId, pending }: { readonly claimId: string; readonly pending: PendingPayment },
): readonly NewEvent<PolicyEvent>[] {
  if (pending.kind === 'reversal') {
    const { paymentId, effectiveAt } = pending;
    const booked = state.payments.find((payment) => payment.paymentId === paymentId);
    if (booked === undefined) return [];
    const data = { ...policyIds(state), claimId, paymentId, amount: booked.amount, effectiveAt };
    return [{ type: ClaimPaymentUnbooked.type, data }];
  }
  const { payment, coverageName, incidentDate } = pending;
  const { paymentId, amount, paidOn: effectiveAt } = payment;
  const refused = refusalOfPayment(state, { incidentDate, coverageName, amount });
  if (refused !== undefined) {
    const data = { ...policyIds(state), claimId, paymentId, effectiveAt, ...refused };
    return [{ type: ClaimPaymentRefused.type, data }];
  }
  return [paymentBooked(state, { claimId, payment, coverageName, incidentDate })];
}

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
 * Finishes a payment, or the reversal of one, that has started: books it on the policy, then records its end on the
 * claim. The events of the policy show whether it is booked, so whichever process finishes it, it is booked once. Where
 * it is finished already, it records nothing.
 */
export const finishClaimPayment = defineSystemCommand({
  name: 'FinishClaimPayment',
  summary: 'Finishes a payment of a claim, or its reversal.',
  input: z.strictObject({ claim_id: resourceId, payment_id: resourceId }),
  roles: [],
  process: 'scheduler',
  aggregate: claim,
  decide: decideEnd,
  handle: async ({ claim_id: claimId, payment_id: paymentId }, context) => {
    const stream = claimStream(claimId);
    const loaded = await context.loadTarget(claim, stream);
    const found = requireExisting(loaded, () => refuse('claim_not_found', 'There is no such claim'));
    const { state } = found;
    const { pending } = state;
    const tags = claimTags(state);
    if (pending === null || pendingId(state) !== paymentId) return { target: found, events: [], tags };
    const today = dayIn(state.timeZone, context.now);
    const loadedPolicy = await context.load(policy, policyStream(state.policyId));
    const target = requireExisting(loadedPolicy, () => refuse('policy_not_found', 'There is no such policy'));
    // Read after the state, so that an event which is missing here is a conflict.
    const booked = (await context.read(target.stream)) as readonly RecordedEvent<PolicyEvent>[];
    const earlier = booked.filter((event) => isBooking(event, pending, paymentId));
    const events = earlier.length > 0 ? [] : decideBooking(target.state, { claimId, pending });
    const ended = decideEnd(state, { refused: refusalIn([...earlier, ...events]), today });
    const decision = { target: found, events: ended, tags };
    return events.length === 0
      ? decision
      : { ...decision, preceding: { target, events, tags: policyTags(target.state) } };
  },
});

/** Returns whether the policy has booked or refused a payment, or has taken it off, by this event. */
function isBooking({ type, data }: PolicyEvent, { kind }: PendingPayment, paymentId: string): boolean {
  const isOfKind =
    kind === 'reversal'
      ? type === 'ClaimPaymentUnbooked'
      : type === 'ClaimPaymentBooked' || type === 'ClaimPaymentRefused';
  return isOfKind && 'paymentId' in data && data.paymentId === paymentId;
}

function refusalIn(events: readonly NewEvent<PolicyEvent>[]): Booking {
  const refused = events.find(({ type }) => type === 'ClaimPaymentRefused');
  if (refused?.type !== 'ClaimPaymentRefused') return undefined;
  const { reason, limitLeft } = refused.data;
  return { reason, limitLeft };
}

/**
 * Returns the refusal of a payment that the policy does not book.
 * @param limitLeft what is left of the limit of the coverage
 */
export function paymentRefusal({ reason, limitLeft }: PaymentRefusal, incidentDate: Day): Refusal {
  if (reason === 'incident_no_longer_covered' || limitLeft === null) return noLongerCovered(incidentDate);
  return amountTooHigh('paid_amount', limitLeft, 'what is left of the limit of the coverage');
}

/**
 * Returns the refusal of an amount above the highest one allowed.
 * @param why what the limit is, in the words of the message
 */
export function amountTooHigh(field: string, limit: string, why: string): Refusal {
  const message = `must be at most ${limit}, ${why}`;
  return refuseAmount('amount_too_high', `${field}: ${message}`, { fields: [{ field, message }], members: { limit } });
}

/** Returns the refusal of an incident whose cover was taken back after the filing. */
export function noLongerCovered(incidentDate: Day): Refusal {
  return refuseIncident(
    'incident_no_longer_covered',
    `The policy does not cover the incident of ${incidentDate} any more`,
  );
}
