import { z } from 'zod';
import { merchant, merchantStream } from '../../src/domain/merchant/merchant.ts';
import { agreedTerms, todayOf } from '../../src/domain/policy/cover.ts';
import { type PolicyState, policyIds } from '../../src/domain/policy/policy.ts';
import { PolicyCancelled } from '../../src/domain/policy/policy-events.ts';
import { returnPremiumOf, returnsSomething, sumOf } from '../../src/domain/policy/term-premium.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { withCrossFieldCheck, isShallow } from '../shared/checks.ts';
import { text, textOrBlank } from '../shared/fields.ts';
import { type CommandContext, defineChange } from '../command.ts';
import { changeByReference, checkPolicyReference, policyReference } from './find-policy.ts';
import { checkNotCancelled, checkNotExpired } from './policy-checks.ts';

/** The body of `POST /api/v1/policies/cancel`. */
const cancelPolicyInput = withCrossFieldCheck(
  z.strictObject({
    ...policyReference,
    cancellation_reason: text(500),
    merchant_feedback: textOrBlank(500).optional(),
    alternative_offerings: z
      .unknown()
      .refine(isShallow, 'is nested too deeply')
      .optional()
      .meta({ description: 'Any JSON: policies or offers that the merchant proposes instead' }),
  }),
  checkPolicyReference,
);

/** Returns the current name of the merchant, or `admin`. */
async function initiatorOf(context: CommandContext): Promise<string> {
  if (context.actor.role !== 'merchant') return 'admin';
  const { state } = await context.load(merchant, merchantStream(context.environment.merchantId));
  if (state === undefined) throw new Error('the merchant of this key is not registered');
  return state.name;
}

function cancellationResponse(state: PolicyState) {
  const { cancellation } = state;
  if (cancellation === null) throw new Error('a cancelled policy is expected');
  const { returned } = cancellation;
  return {
    cancellation_status: 'success',
    message: 'Policy cancellation successful',
    data: {
      policy_id: state.policyId,
      policy_number: state.policyNumber,
      policy_status: state.status,
      cancellation_date: cancellation.at,
      cancellation_reason: cancellation.reason,
      cancellation_initiator: cancellation.initiator,
      refund_amount: sumOf(returned.map(({ premium }) => premium)),
      currency: state.currency,
    },
  };
}

/**
 * Ends cover at the end of the day of the cancellation, and returns the premium of the days that are left.
 * @throws {Refusal} `policy_already_cancelled`, `policy_not_active`, `policy_expired`
 */
export const cancelPolicy = defineChange({
  ...changeByReference,
  name: 'CancelPolicy',
  summary: 'Cancels an active policy.',
  input: cancelPolicyInput,
  lookUp: async (_request, context) => ({ initiator: await initiatorOf(context) }),
  decide(state, { initiator, now, ...request }) {
    const today = todayOf(state, now);
    checkNotCancelled(state);
    if (state.status !== 'active')
      throw new Refusal('policy_not_active', 'Only an active policy can be cancelled; this one is not active yet');
    checkNotExpired(state, today);
    const data = {
      ...policyIds(state),
      cancelledAt: now,
      reason: request.cancellation_reason,
      initiator,
      merchantFeedback: request.merchant_feedback ?? null,
      alternativeOfferings: (request.alternative_offerings ?? null) as z.core.util.JSONType,
      returned: agreedTerms(state)
        .map((term) => returnPremiumOf(term, today))
        .filter(returnsSomething),
      effectiveAt: today,
    };
    return [{ type: PolicyCancelled.type, data }];
  },
  result: ({ state }) => cancellationResponse(state),
});
