import { z } from 'zod';
import { type Day, day } from '#event-sourcing/time.ts';
import { stateOf } from '#event-sourcing/aggregate.ts';
import type { NewEvent, RecordedEvent } from '#event-sourcing/event.ts';
import {
  type ClaimEvent,
  ClaimPaid,
  ClaimPaymentReversalStarted,
  ClaimPaymentStarted,
} from '#domain/claim/claim-events.ts';
import { claim, type ClaimState, claimIds, claimStream } from '#domain/claim/claim.ts';
import { outstandingOf, paidOf } from '#domain/claim/settlement.ts';
import { refusalOfPayment } from '#domain/policy/claim-payments.ts';
import type { PolicyState } from '#domain/policy/policy.ts';
import { formatMoney, moneyNotNegativeInput, parseMoney } from '#domain/values/money.ts';
import type { Authority } from '#domain/values/rights.ts';
import { refusalsOf, wrongField } from '#domain/refusals.ts';
import type { ExecutedCommand, FinishContext } from '#event-sourcing/executor/command.ts';
import { defineChange } from '../command.ts';
import { line, resourceId, text } from '../shared/fields.ts';
import { isTooLarge } from '../shared/state-size.ts';
import {
  AT_ANOTHER_STAGE,
  authorityErrors,
  checkAuthority,
  checkMove,
  claimMove,
  claimStatusResult,
  claimStatusSchema,
  moveErrors,
  notOfLargeClaim,
  repeatableMove,
} from './claim-checks.ts';
import { policyOf } from './claim-moves.ts';
import { amountTooHigh, finishClaimPayment, paymentErrors, paymentRefusal } from './finish-payment.ts';

const refuse = refusalsOf('payment_already_reversed');

interface PaymentCommand {
  readonly today: Day;
  readonly authority?: Authority | null | undefined;
  readonly policyState: PolicyState;
  readonly paymentId: string;
  /** The claim takes no payment but its last. */
  readonly isLarge?: boolean | undefined;
  readonly paid_amount?: string | undefined;
  readonly paid_on?: Day | undefined;
  readonly reference?: string | undefined;
  readonly final?: boolean | undefined;
}

/**
 * Returns the day before which nothing was paid: of the approval or the accepted offer; of an imported claim without
 * them, of its filing.
 */
function payableSince({ timeline }: ClaimState): { readonly day: Day; readonly name: string } {
  const agreed = timeline.findLast(({ name }) => name === 'approved' || name === 'offer accepted') ?? timeline[0];
  if (agreed === undefined) throw new Error('a timeline begins with the filing');
  return agreed;
}

/** @throws {Refusal} naming `paid_on` */
function checkPaidOn(state: ClaimState, paidOn: Day, today: Day): void {
  if (paidOn > today) throw wrongField('paid_on', 'must not be in the future');
  const since = payableSince(state);
  if (paidOn < since.day)
    throw wrongField('paid_on', `must not be before ${since.day}, when the claim was ${since.name}`);
}

function decidePayment(state: ClaimState, command: PaymentCommand): readonly NewEvent<ClaimEvent>[] {
  checkMove(state, 'paid');
  const { today, paid_on: paidOn = today, reference = null, final = false } = command;
  checkPaidOn(state, paidOn, today);
  const left = outstandingOf(state) ?? 0n;
  const amount = command.paid_amount === undefined ? left : parseMoney(command.paid_amount);
  if (amount > left) throw amountTooHigh('paid_amount', formatMoney(left), 'what is left to pay');
  if (amount === 0n) {
    if (!final || paidOf(state) === 0n)
      throw wrongField('paid_amount', 'must be above 0.00; 0.00 with final: true closes a claim after a payment');
    const closing = { payment: null, isFinal: true, outstanding: '0.00', effectiveAt: paidOn };
    return [{ type: ClaimPaid.type, data: { ...claimIds(state), ...closing } }];
  }
  const incident = { coverageName: state.coverage?.name ?? null, incidentDate: state.details.incidentDate };
  checkAuthority(command.authority, 'payUpTo', state, paidOf(state) + amount);
  const refusal = refusalOfPayment(command.policyState, { ...incident, amount: formatMoney(amount) });
  if (refusal !== undefined) throw paymentRefusal(refusal, incident.incidentDate);
  const payment = { paymentId: command.paymentId, amount: formatMoney(amount), paidOn, reference };
  const isFinal = final || amount === left;
  if (command.isLarge && !isFinal) throw notOfLargeClaim(state, 'paid in part');
  const data = { ...claimIds(state), payment, ...incident, isFinal, effectiveAt: today };
  return [{ type: ClaimPaymentStarted.type, data }];
}

/** Finishes what the events of a command have started. @throws {Refusal} when the policy has not booked the payment */
async function finishPayment(
  executed: ExecutedCommand<ClaimEvent, ClaimState>,
  context: FinishContext,
): Promise<ExecutedCommand<ClaimEvent, ClaimState>> {
  const started = executed.events.find(
    ({ type }) => type === ClaimPaymentStarted.type || type === ClaimPaymentReversalStarted.type,
  );
  if (started === undefined) return executed;
  const { claimId } = started.data;
  const paymentId = paymentIdOf(started);
  await context.execute(finishClaimPayment, { claim_id: claimId, payment_id: paymentId });
  const history = (await context.read(claimStream(claimId))) as readonly RecordedEvent<ClaimEvent>[];
  const ended = history.find((event) => event.revision > started.revision && endsPayment(event, paymentId));
  if (ended === undefined) throw new Error(`the payment ${paymentId} did not end`);
  if (ended.type === 'ClaimPaymentRejected' && started.type === 'ClaimPaymentStarted')
    throw paymentRefusal(ended.data, started.data.incidentDate);
  return { ...executed, state: stateOf(claim, history.slice(0, ended.revision + 1)), position: ended.position };
}

function paymentIdOf(event: ClaimEvent): string {
  if (event.type === 'ClaimPaymentStarted') return event.data.payment.paymentId;
  if (event.type === 'ClaimPaymentReversalStarted') return event.data.paymentId;
  throw new Error(`${event.type} starts no payment`);
}

function endsPayment(event: ClaimEvent, paymentId: string): boolean {
  if (event.type === 'ClaimPaid') return event.data.payment?.paymentId === paymentId;
  return (
    (event.type === 'ClaimPaymentRejected' || event.type === 'ClaimPaymentReversed') &&
    event.data.paymentId === paymentId
  );
}

export const payClaim = defineChange({
  ...claimMove,
  name: 'PayClaim',
  summary: 'Records a payment of an approved claim or of an accepted offer.',
  description: `Records a payment: by default of what is left of the accepted offer, else of the approved amount, which is also the limit (\`amount_too_high\`), as is what is left of the limit of the coverage. The claim is paid when nothing is left, or with \`final: true\`. ${AT_ANOTHER_STAGE}`,
  input: z.strictObject({
    claim_id: resourceId,
    paid_amount: moneyNotNegativeInput.optional().meta({ description: 'What is left to pay when left out' }),
    paid_on: day.optional().meta({ description: 'Today when left out; not before the approval or the accepted offer' }),
    reference: line(255).optional(),
    final: z.boolean().optional().meta({ description: 'Whether nothing is paid after it' }),
  }),
  example: {
    claim_id: '6bda9825-e39f-5a83-8013-d3560e669ae0',
    paid_amount: '110000.00',
    reference: 'TR-2026-0815',
  },
  response: claimStatusSchema.extend({ payment_id: z.uuid().nullable() }),
  errors: [...moveErrors, ...paymentErrors, ...authorityErrors],
  lookUp: async (request, context, found) => ({
    ...claimMove.lookUp(request, context, found),
    policyState: (await policyOf(found.state, context)).state,
    paymentId: context.derive('payment'),
    isLarge: isTooLarge(found),
  }),
  decide: (state: ClaimState, command: PaymentCommand) => decidePayment(state, command),
  finish: finishPayment,
  result: ({ state, events }) => ({ ...claimStatusResult({ state }), payment_id: paymentIdIn(events) }),
});

/** Returns the id by which a payment is reversed; null when the claim was closed without one. */
function paymentIdIn(events: readonly ClaimEvent[]): string | null {
  const started = events.find(({ type }) => type === ClaimPaymentStarted.type);
  return started === undefined ? null : paymentIdOf(started);
}

export const reversePayment = defineChange({
  ...repeatableMove('given back a payment'),
  name: 'ReversePayment',
  summary: 'Takes back a payment of a claim.',
  description:
    'Takes back a payment: from today on it counts nowhere, and a paid claim is open again. The `reason` is added to the notes.',
  input: z.strictObject({ claim_id: resourceId, payment_id: resourceId, reason: text(2000) }),
  example: {
    claim_id: '955994ba-ca77-582a-ab01-04d45bd7cad8',
    payment_id: 'cd442d6d-a91d-5310-9f43-c6f7ca69ce35',
    reason: 'Paid to the wrong account',
  },
  errors: [...moveErrors, ...refuse.codes],
  decide(state, { today, payment_id: paymentId, reason }) {
    const payment = state.payments.find((one) => one.paymentId === paymentId);
    if (payment === undefined) throw wrongField('payment_id', 'must be a payment of the claim');
    if (payment.reversedOn !== null)
      throw refuse('payment_already_reversed', `The payment was reversed on ${payment.reversedOn}`);
    const data = { ...claimIds(state), paymentId, reason, effectiveAt: today };
    return [{ type: ClaimPaymentReversalStarted.type, data }];
  },
  finish: finishPayment,
});
