import { z } from 'zod';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { type Day, day } from '#event-sourcing/time.ts';
import { merchant, merchantStream } from '#domain/merchant/merchant.ts';
import { lastPaidIncident } from '#domain/policy/claim-payments.ts';
import { applyChangeWithdrawn, changesAfter, givenBack, takenOff, termsBefore } from '#domain/policy/changes.ts';
import { isInForce, POLICY_STATUSES, statusOn, termOn } from '#domain/policy/cover.ts';
import { cancellationFacts } from '#domain/policy/end.ts';
import { type PolicyState, policyIds } from '#domain/policy/policy.ts';
import {
  type ChangedTermData,
  PolicyCancelled,
  PolicyChangeWithdrawn,
  type PolicyEvent,
  REFUND_RULES,
  type Returned,
} from '#domain/policy/policy-events.ts';
import { refusalsOf, wrongField } from '#domain/refusals.ts';
import { addDays } from '#domain/values/dates.ts';
import { sum, sumOf, sumOfKnown } from '#domain/values/money.ts';
import { withCrossFieldCheck, isShallow } from '../shared/checks.ts';
import { text, textOrBlank } from '../shared/fields.ts';
import { type CommandContext, defineChange } from '../command.ts';
import {
  checkExpectedAmount,
  checkExpectedAmountErrors,
  expectedAmount,
  checkNoEnd,
  checkNoEndErrors,
  checkNotExpired,
  checkNotExpiredErrors,
} from './policy-checks.ts';
import { changeByReference, checkPolicyReference, findPolicyErrors, policyReference } from './find-policy.ts';

/** The body of `POST /api/v1/policies/cancel`. */
const cancelPolicyInput = withCrossFieldCheck(
  z.strictObject({
    ...policyReference,
    cancellation_reason: text(500),
    effective_on: day.optional().meta({
      description:
        'Last day of cover; today when left out. From today through the last day of the term in force; for the platform also an earlier day of that term',
    }),
    expected_amount: expectedAmount('What is returned (`refund_amount`)'),
    merchant_feedback: textOrBlank(500).optional(),
    alternative_offerings: z
      .unknown()
      .refine(isShallow, 'is nested too deeply')
      .optional()
      .meta({ description: 'Any JSON: policies or offers that the merchant proposes instead' }),
  }),
  checkPolicyReference,
);

const refuse = refusalsOf('changed_after_day', 'claim_paid_after_day');

/** Returns the current name of the merchant, or `admin`. */
async function initiatorOf(context: CommandContext): Promise<string> {
  if (context.actor.role !== 'merchant') return 'admin';
  const { state } = await context.load(merchant, merchantStream(context.environment.merchantId));
  if (state === undefined) throw new Error('the merchant of this key is not registered');
  return state.name;
}

interface EffectiveDay {
  readonly effectiveOn: Day;
  readonly today: Day;
  readonly isPlatform: boolean;
}

type ChangeWithdrawnData = Extract<PolicyEvent, { readonly type: 'PolicyChangeWithdrawn' }>['data'];

/**
 * Takes back the changes that begin after the last day of cover, the last one first, so that an end returns nothing
 * that was never owed.
 */
function withdrawChanges(state: PolicyState, effectiveOn: Day, today: Day) {
  let current = state;
  const withdrawn: ChangeWithdrawnData[] = [];
  for (const change of changesAfter(state, effectiveOn, today)) {
    const { changeId, effectiveAt } = change;
    const data = { ...policyIds(state), changeId, terms: termsBefore(current, change), effectiveAt };
    if (data.terms.length > 0) withdrawn.push(data);
    current = { ...current, ...applyChangeWithdrawn(current, data) };
  }
  return { before: current, withdrawn };
}

/** Checks on which day cover may end. @throws {Refusal} */
function checkEffectiveDay(state: PolicyState, { effectiveOn, today, isPlatform }: EffectiveDay): void {
  const current = isInForce(state, today) ? termOn(state, today) : undefined;
  if (current === undefined) {
    if (effectiveOn !== today) throw wrongField('effective_on', `must be ${today}: the policy is not in force today`);
    return;
  }
  const earliest = isPlatform ? addDays(current.from, -1) : today;
  if (effectiveOn < earliest || effectiveOn > current.through)
    throw wrongField('effective_on', `must be a day from ${earliest} through ${current.through}`);
  if (state.changedOn !== null && effectiveOn < state.changedOn)
    throw refuse('changed_after_day', `The coverages of the policy were changed on ${state.changedOn}`);
  const incident = lastPaidIncident(state);
  if (incident !== undefined && effectiveOn < incident)
    throw refuse('claim_paid_after_day', `A payment was made for an incident on ${incident}`);
}

/** Returns what an end gives back of each term: what it returns, and what it takes back of changes. */
function refundsOf(
  returned: readonly Returned[],
  withdrawn: readonly { readonly terms: readonly ChangedTermData[] }[],
) {
  return [...returned, ...givenBack(withdrawn.flatMap(({ terms }) => terms))];
}

const cancellationResult = z.strictObject({
  cancellation_status: z.enum(['success', 'preview']),
  message: z.string(),
  data: z.strictObject({
    policy_id: z.uuid(),
    policy_number: z.string(),
    policy_status: z.enum(POLICY_STATUSES).meta({ description: 'It is `cancelled` once the end has come' }),
    cancellation_date: z.iso.datetime(),
    cancellation_reason: z.string(),
    cancellation_initiator: z.string(),
    effective_on: day.meta({ description: 'Last day of cover' }),
    refund_amount: sum.meta({ description: 'Sum of net price, fee and tax returned' }),
    tax_refunded: sum.nullable().meta({ description: 'Null where the tax of every term is unknown' }),
    refund_rule: z.enum(REFUND_RULES).nullable().meta({
      description: 'The rule of the term that contains the day; `not_begun` where none does',
    }),
    currency: z.string(),
  }),
});

function cancellationResponse(state: PolicyState, events: readonly RecordedEvent<PolicyEvent>[]) {
  const { end } = state;
  if (end === null) throw new Error('a cancelled policy is expected');
  const withdrawn = events.flatMap(({ type, data }) => (type === 'PolicyChangeWithdrawn' ? [data] : []));
  const refunds = refundsOf(end.returned, withdrawn);
  return {
    cancellation_status: 'success',
    message: 'Policy cancellation successful',
    data: {
      policy_id: state.policyId,
      policy_number: state.contract.policyNumber,
      policy_status: statusOn(state, end.decidedOn),
      cancellation_date: end.at,
      cancellation_reason: end.reason,
      cancellation_initiator: end.initiator,
      effective_on: end.day,
      refund_amount: sumOf(refunds.map(({ premium }) => premium)),
      tax_refunded: sumOfKnown(refunds.map(({ tax }) => tax)),
      refund_rule: end.refundRule,
      currency: state.currency,
    },
  };
}

/** Ends cover with the end of a day, and returns the refund by the rules of the policy. */
export const cancelPolicy = defineChange({
  ...changeByReference,
  name: 'CancelPolicy',
  summary: 'Cancels a policy today, or as of another day.',
  description: `Ends cover with the end of \`effective_on\`, in the time zone of the environment: today (the default) through the last day of the term in force; of a policy that has not begun, waits or is in a gap, today alone. The platform may
also name earlier days of the term, and the day before it, but no day before the last change that has begun, and none before the incident of a paid claim; a change that would begin after \`effective_on\` is taken back, which \`refund_amount\` contains. All of a term that has not begun is returned (\`not_begun\`, also while the policy waits). For the term that contains the day, \`refund_rule\` decides. \`cooling_off\` returns everything: decision and \`effective_on\` are at most
\`cooling_off_days\` after the day of purchase, and the term is the first and has at least 30 days; from the decision on, no claim for an incident in it is accepted, not even for earlier days. \`pro_rata\` returns the net price less the larger of what is earned and what the product
retains (\`minimum_retained\`), and the tax on it, but no fee. The net price is earned day by day, the fee on the first day. \`renewable\` and \`auto_renew\` are false at once; status and cover stay until a later \`effective_on\` is over. The policy is identified by \`policy_id\` or \`policy_number\`; both must identify the same policy.
\`cancellation_initiator\` is the merchant's name, or \`admin\` when the platform cancels.

With \`expected_amount\` the request is refused (\`amount_changed\`) if \`refund_amount\` is another one now.`,
  input: cancelPolicyInput,
  example: {
    policy_number: 'LAG-FXYSYCAQGH',
    cancellation_reason: 'The pet was given away',
    merchant_feedback: 'The customer asked for a transfer first',
    alternative_offerings: [{ product: 'Happy Paws', note: 'for the next pet' }],
  },
  response: cancellationResult,
  errors: [
    ...findPolicyErrors,
    ...checkNoEndErrors,
    ...checkNotExpiredErrors,
    ...refuse.codes,
    ...checkExpectedAmountErrors,
  ],
  lookUp: async (request, context, found) => ({
    initiator: await initiatorOf(context),
    isPlatform: context.actor.role !== 'merchant',
    ...changeByReference.lookUp(request, context, found),
  }),
  decide(state, { initiator, isPlatform, now, today, ...request }) {
    checkNoEnd(state);
    checkNotExpired(state, today);
    const { effective_on: effectiveOn = today } = request;
    const { before, withdrawn } = withdrawChanges(state, effectiveOn, today);
    checkEffectiveDay(before, { effectiveOn, today, isPlatform });
    const lowered = takenOff(
      withdrawn.flatMap(({ terms }) => terms),
      termOn(before, effectiveOn)?.termId,
    );
    const facts = cancellationFacts(before, { effectiveOn, decidedOn: today, now, takenOff: lowered });
    const refunds = refundsOf(facts.returned, withdrawn);
    checkExpectedAmount(request.expected_amount, sumOf(refunds.map(({ premium }) => premium)));
    const data = {
      ...policyIds(state),
      ...facts,
      reason: request.cancellation_reason,
      initiator,
      merchantFeedback: request.merchant_feedback ?? null,
      alternativeOfferings: (request.alternative_offerings ?? null) as z.core.util.JSONType,
    };
    const takenBack = withdrawn.map((each) => ({ type: PolicyChangeWithdrawn.type, data: each }));
    return [...takenBack, { type: PolicyCancelled.type, data }];
  },
  result: ({ state, events }) => cancellationResponse(state, events),
});
