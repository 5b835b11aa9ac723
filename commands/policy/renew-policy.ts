import { z } from 'zod';
import { type Day, day } from '#event-sourcing/time.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { dayAfter } from '#domain/values/dates.ts';
import { lastTerm, statusOn, todayOf } from '#domain/policy/cover.ts';
import { changesOf } from '#domain/policy/coverage-changes.ts';
import { type PolicyState, policyIds } from '#domain/policy/policy.ts';
import { daysOf, isStorable, lastPeriod, termDays } from '#domain/policy/term.ts';
import { type PolicyEvent, PolicyRenewed } from '#domain/policy/policy-events.ts';
import { Refusal, wrongField } from '#domain/refusals.ts';
import { defineChange } from '../command.ts';
import { withCrossFieldCheck } from '../shared/checks.ts';
import { policyDuration } from '../shared/fields.ts';
import type { Resources } from '../services.ts';
import { checkCoverageDetails, renewalChangeOf } from './coverage-change.ts';
import { checkExpectedAmount, expectedAmount } from './expected-amount.ts';
import { changeByReference, checkPolicyReference, policyReference } from './find-policy.ts';
import { reasonClosed } from './policy-checks.ts';
import { latestStart, nextTerm, presentRates, currentProductOf, isProviderWithdrawn } from './renewal.ts';

/** The body of `POST /api/v1/policies/renew/`. */
const renewPolicyInput = withCrossFieldCheck(
  z.strictObject({
    ...policyReference,
    preferred_policy_start_date: day,
    policy_duration: policyDuration,
    include_additional_coverage: z.boolean().default(false),
    modify_exisitng_coverage: z.boolean().default(false),
    coverage_details: z.record(z.string(), z.unknown()).optional(),
    auto_renew: z.boolean().default(false),
    expected_amount: expectedAmount('The premium of the new term'),
  }),
  (values, addIssue) => {
    checkPolicyReference(values, addIssue);
    checkCoverageDetails(values, addIssue);
  },
);

const START_FIELD = 'preferred_policy_start_date';

/** @throws {Refusal} `policy_not_renewable` */
function checkRenewable(state: PolicyState): void {
  const why = reasonClosed(state) ?? (state.renewable ? undefined : 'its product is not renewable');
  if (why !== undefined) throw new Refusal('policy_not_renewable', `The policy cannot be renewed: ${why}`);
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

function renewalResponse(state: PolicyState, renewal: RecordedEvent<PolicyEvent> | undefined, resources: Resources) {
  if (renewal?.type !== PolicyRenewed.type) throw new Error('the last event of a renewal is not PolicyRenewed');
  const { term } = renewal.data;
  return {
    renewal_status: 'success',
    message: 'Policy renewal successful',
    data: {
      policy_id: state.policyId,
      policy_number: state.policyNumber,
      policy_duration: daysOf(term),
      policy_metadata: {
        product_name: state.product.name,
        product_type: state.product.type,
        insurer: state.provider.name,
        customer_name: state.holder.name,
        customer_email: state.holder.email,
        customer_phone: state.holder.phone ?? '',
        customer_address: state.holder.address ?? '',
        policy_status: statusOn(state, todayOf(state, renewal.metadata.recordedAt)),
        policy_id: state.policyId,
        renewable: state.renewable,
      },
      renewal_date: dayAfter(lastTerm(state).through),
      premium: term.premium,
      tax: term.tax,
      currency: state.currency,
      effective_from: term.from,
      effective_through: term.through,
      coverages: resources.coverageResourcesOf(lastPeriod(term).coverages),
    },
  };
}

/**
 * Adds a term after the last one.
 * @throws {Refusal} `policy_not_renewable`; `provider_withdrawn`; `renewal_overlaps_current_term` with `earliest_start`; `premium_out_of_range`;
 * `invalid_request` for a start in the past or too far ahead, or a change of a coverage that the policy does not have
 */
export const renewPolicy = defineChange({
  ...changeByReference,
  name: 'RenewPolicy',
  summary: 'Adds a new term after the last one of a policy.',
  input: renewPolicyInput,
  lookUp: async (request, context, found) => ({
    ...changeByReference.lookUp(request, context, found),
    rates: presentRates(found.state, await currentProductOf(found.state, context)),
    isInsurerWithdrawn: await isProviderWithdrawn(found.state, context),
  }),
  decide(state, { today, rates, isInsurerWithdrawn, ...request }) {
    const { preferred_policy_start_date: from, policy_duration: days, auto_renew: autoRenew } = request;
    checkRenewable(state);
    if (from < today) throw wrongField(START_FIELD, 'must not be in the past');
    const { through } = lastTerm(state);
    checkAfterLastTerm(through, from);
    const latest = latestStart(through > today ? through : today);
    if (from > latest) throw wrongField(START_FIELD, `must not be later than ${latest}`);
    if (isInsurerWithdrawn) throw new Refusal('provider_withdrawn', `The insurer ${state.provider.name} is withdrawn`);
    const newDays = termDays(from, days);
    if (!isStorable(newDays)) throw wrongField(START_FIELD, 'must let the term end before 9999-12-31');
    const asked = renewalChangeOf(request);
    const term = nextTerm(state, newDays, rates, asked === null ? undefined : changesOf([asked.change]));
    checkExpectedAmount(request.expected_amount, term.premium);
    const coverageChange = asked && { kind: asked.kind, details: asked.details };
    const data = { ...policyIds(state), term, autoRenew, coverageChange, effectiveAt: from };
    return [{ type: PolicyRenewed.type, data }];
  },
  result: ({ state, events }, { resources }) => renewalResponse(state, events.at(-1), resources),
});
