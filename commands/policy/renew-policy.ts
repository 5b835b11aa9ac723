import { z } from 'zod';
import { type Day, day } from '../../src/event-sourcing/time.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import { dayAfter } from '../../src/domain/values/dates.ts';
import { isStorableTerm, lastTerm } from '../../src/domain/policy/cover.ts';
import { MAX_TERM_DAYS } from '../../src/domain/policy/due.ts';
import type { PolicyState } from '../../src/domain/policy/policy.ts';
import { waitsForActivation } from '../../src/domain/policy/lifecycle.ts';
import { type PolicyEvent, PolicyRenewed } from '../../src/domain/policy/policy-events.ts';
import { Refusal, wrongField } from '../../src/domain/refusals.ts';
import { defineChange } from '../command.ts';
import { withCrossFieldCheck } from '../shared/checks.ts';
import { checkCoverageDetails, coverageChangeOf } from './coverage-change.ts';
import { changeByReference, checkPolicyReference, policyReference } from './find-policy.ts';
import { latestStart, renewalEvents } from './renewal.ts';

/** The body of `POST /api/v1/policies/renew/`. */
const renewPolicyInput = withCrossFieldCheck(
  z.strictObject({
    ...policyReference,
    preferred_policy_start_date: day,
    policy_duration: z.int().min(1, 'must be 1 to 365 days').max(MAX_TERM_DAYS, 'must be 1 to 365 days'),
    include_additional_coverage: z.boolean().default(false),
    modify_exisitng_coverage: z.boolean().default(false),
    coverage_details: z.record(z.string(), z.unknown()).optional(),
    auto_renew: z.boolean().default(false),
  }),
  (values, addIssue) => {
    checkPolicyReference(values, addIssue);
    checkCoverageDetails(values, addIssue);
  },
);

const START_FIELD = 'preferred_policy_start_date';

/** @throws {Refusal} `policy_not_renewable` */
function checkRenewable(state: PolicyState): void {
  const why = nonRenewableReason(state);
  if (why !== undefined) throw new Refusal('policy_not_renewable', `The policy cannot be renewed: ${why}`);
}

function nonRenewableReason(state: PolicyState): string | undefined {
  if (state.cancellation !== null) return 'it is cancelled';
  if (!state.renewable) return 'its product is not renewable';
  return waitsForActivation(state) ? 'it waits for inspection or certification' : undefined;
}

function checkAfterLastTerm(through: Day, from: Day): void {
  if (from > through) return;
  const earliest = dayAfter(through);
  const next = earliest === null ? 'no renewal can follow' : `a renewal can start on ${earliest} at the earliest`;
  const detail = `The policy is covered through ${through}; ${next}`;
  throw new Refusal('renewal_overlaps_current_term', detail, {
    fields: [{ field: START_FIELD, message: `must be later than ${through}` }],
    members: { earliest_start: earliest },
  });
}

function renewalResponse(state: PolicyState, renewal: RecordedEvent<PolicyEvent> | undefined) {
  if (renewal?.type !== PolicyRenewed.type) throw new Error('the last event of a renewal is not PolicyRenewed');
  return {
    renewal_status: 'success',
    message: 'Policy renewal successful',
    data: {
      policy_id: state.policyId,
      policy_number: state.policyNumber,
      policy_duration: renewal.data.days,
      policy_metadata: {
        product_name: state.product.name,
        product_type: state.product.type,
        insurer: state.provider.name,
        customer_name: state.holder.name,
        customer_email: state.holder.email,
        customer_phone: state.holder.phone,
        customer_address: state.holder.address,
        policy_status: state.status,
        policy_id: state.policyId,
        renewable: state.renewable,
      },
      renewal_date: dayAfter(lastTerm(state).through),
    },
  };
}

/**
 * Adds a term after the last one.
 * @throws {Refusal} `policy_not_renewable`; `renewal_overlaps_current_term` with `earliest_start`; `premium_out_of_range`;
 * `invalid_request` for a start in the past or too far ahead, or a change of a coverage that the policy does not have
 */
export const renewPolicy = defineChange({
  ...changeByReference,
  name: 'RenewPolicy',
  summary: 'Adds a new term after the last one of a policy.',
  input: renewPolicyInput,
  decide(state, { today, ...request }) {
    const { preferred_policy_start_date: from, policy_duration: days, auto_renew: autoRenew } = request;
    if (from < today) throw wrongField(START_FIELD, 'must not be in the past');
    checkRenewable(state);
    const { through } = lastTerm(state);
    checkAfterLastTerm(through, from);
    const latest = latestStart(through > today ? through : today);
    if (from > latest) throw wrongField(START_FIELD, `must not be later than ${latest}`);
    if (!isStorableTerm(from, days)) throw wrongField(START_FIELD, 'must let the term end before 9999-12-31');
    return renewalEvents(state, { from, days, autoRenew, coverageChange: coverageChangeOf(request) });
  },
  result: ({ state, events }) => renewalResponse(state, events.at(-1)),
});
