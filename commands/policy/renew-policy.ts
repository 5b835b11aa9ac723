import { z } from 'zod';
import { type Day, day } from '#event-sourcing/time.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { dayAfter } from '#domain/values/dates.ts';
import { lastTerm, statusOn, todayOf } from '#domain/policy/cover.ts';
import { changesOf } from '#domain/policy/coverage-changes.ts';
import { type PolicyState, policyIds } from '#domain/policy/policy.ts';
import { coverageResourcesOf, coverageSchema } from '#domain/policy/resource-parts.ts';
import { daysOf, isStorable, lastPeriod, termDays } from '#domain/policy/term.ts';
import { type PolicyEvent, PolicyRenewed } from '#domain/policy/policy-events.ts';
import { money, sum } from '#domain/values/money.ts';
import { premiumErrors } from '#domain/values/price.ts';
import { refusalsOf, wrongField } from '#domain/refusals.ts';
import { defineChange } from '../command.ts';
import { withCrossFieldCheck } from '../shared/checks.ts';
import { policyDuration } from '../shared/fields.ts';
import { isTooLarge } from '../shared/state-size.ts';
import { checkCoverageDetails, renewalChangeOf } from './coverage-change.ts';
import { checkExpectedAmount, checkExpectedAmountErrors, expectedAmount, reasonClosed } from './policy-checks.ts';
import { changeByReference, checkPolicyReference, findPolicyErrors, policyReference } from './find-policy.ts';
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

const refuse = refusalsOf('policy_not_renewable', 'provider_withdrawn', 'renewal_overlaps_current_term');

const START_FIELD = 'preferred_policy_start_date';

function checkRenewable(state: PolicyState): void {
  const why = reasonClosed(state) ?? (state.contract.renewable ? undefined : 'its product is not renewable');
  if (why !== undefined) throw refuse('policy_not_renewable', `The policy cannot be renewed: ${why}`);
}

function checkAfterLastTerm(through: Day, from: Day): void {
  if (from > through) return;
  const earliest = dayAfter(through);
  const next = earliest === null ? 'no renewal can follow' : `a renewal can start on ${earliest} at the earliest`;
  const detail = `The policy is covered through ${through}; ${next}`;
  throw refuse('renewal_overlaps_current_term', detail, {
    fields: [{ field: START_FIELD, message: `must be later than ${through}` }],
    members: { earliest_start: earliest },
  });
}

const renewalResult = z.strictObject({
  renewal_status: z.enum(['success', 'preview']),
  message: z.string(),
  data: z.strictObject({
    policy_id: z.uuid(),
    policy_number: z.string().nullable(),
    policy_duration: z.int(),
    policy_metadata: z.strictObject({
      product_name: z.string(),
      product_type: z.string(),
      insurer: z.string(),
      customer_name: z.string(),
      customer_email: z.string(),
      customer_phone: z.string().meta({ description: 'Empty where it is not known' }),
      customer_address: z.string().meta({ description: 'Empty where it is not known' }),
      policy_status: z.string(),
      policy_id: z.uuid(),
      renewable: z.boolean(),
    }),
    renewal_date: day,
    premium: money.meta({ description: 'What the new term costs' }),
    tax: sum.nullable(),
    currency: z.string(),
    effective_from: day.meta({ description: 'First day of the new term' }),
    effective_through: day,
    coverages: z.array(coverageSchema),
  }),
});

function renewalResponse(state: PolicyState, renewal: RecordedEvent<PolicyEvent> | undefined) {
  if (renewal?.type !== PolicyRenewed.type) throw new Error('the last event of a renewal is not PolicyRenewed');
  const { term } = renewal.data;
  const { policyNumber, product, provider, holder, renewable } = state.contract;
  return {
    renewal_status: 'success',
    message: 'Policy renewal successful',
    data: {
      policy_id: state.policyId,
      policy_number: policyNumber,
      policy_duration: daysOf(term),
      policy_metadata: {
        product_name: product.name,
        product_type: product.type,
        insurer: provider.name,
        customer_name: holder.name,
        customer_email: holder.email,
        customer_phone: holder.phone ?? '',
        customer_address: holder.address ?? '',
        policy_status: statusOn(state, todayOf(state, renewal.metadata.recordedAt)),
        policy_id: state.policyId,
        renewable,
      },
      renewal_date: dayAfter(lastTerm(state).through),
      premium: term.premium,
      tax: term.tax,
      currency: state.currency,
      effective_from: term.from,
      effective_through: term.through,
      coverages: coverageResourcesOf(lastPeriod(term).coverages),
    },
  };
}

export const renewPolicy = defineChange({
  ...changeByReference,
  name: 'RenewPolicy',
  summary: 'Adds a new term after the last one of a policy.',
  description: `Adds a term of \`policy_duration\` days; 365 days are a year, which ends on the day before the same date of the next year. The policy is identified by \`policy_id\`, \`policy_number\` or both. It must be renewable, not cancelled and not waiting for
activation. The new term begins today or later, after the last day of all agreed terms (a refusal contains \`earliest_start\`), and at most 366 days after the later of today and that day.

The term has the coverages and the annual net price of the last one; fee, minimum and percentages of tax and commission are those that the product has now. \`include_additional_coverage\` adds the coverage that
\`coverage_details\` describes; \`modify_exisitng_coverage\` (the name is spelt so) changes the one that \`coverage_details.coverage_type\` names, or of that type if exactly one has it. \`additional_amount\` is for a year and contains tax. Both
flags cannot be true together, and \`coverage_details\` without one of them is refused. \`coverage_details\` is free: its other members are stored and have no effect, so a misspelt name is not refused.
\`auto_renew\` sets whether the policy is renewed automatically from then on: left out, it switches automatic renewal off.

With \`expected_amount\` the request is refused (\`amount_changed\`) if the premium is another one now.`,
  input: renewPolicyInput,
  example: {
    policy_id: 'c530ddb5-2b6b-5b7a-ae28-8fa4b289d210',
    preferred_policy_start_date: '2027-12-01',
    policy_duration: 180,
    include_additional_coverage: true,
    coverage_details: {
      coverage_type: 'Liability',
      additional_amount: 1500,
      covered_items: ['Damage done by the pet'],
    },
    auto_renew: true,
  },
  response: renewalResult,
  errors: [...findPolicyErrors, ...refuse.codes, ...premiumErrors, ...checkExpectedAmountErrors],
  lookUp: async (request, context, found) => {
    if (isTooLarge(found))
      throw refuse('policy_not_renewable', 'The policy cannot be renewed: its terms have too much text together');
    return {
      ...changeByReference.lookUp(request, context, found),
      rates: presentRates(found.state, await currentProductOf(found.state, context)),
      isInsurerWithdrawn: await isProviderWithdrawn(found.state.contract.provider.id, context),
    };
  },
  decide(state, { today, rates, isInsurerWithdrawn, ...request }) {
    const { preferred_policy_start_date: from, policy_duration: days, auto_renew: autoRenew } = request;
    checkRenewable(state);
    if (from < today) throw wrongField(START_FIELD, 'must not be in the past');
    const { through } = lastTerm(state);
    checkAfterLastTerm(through, from);
    const latest = latestStart(through > today ? through : today);
    if (from > latest) throw wrongField(START_FIELD, `must not be later than ${latest}`);
    if (isInsurerWithdrawn)
      throw refuse('provider_withdrawn', `The insurer ${state.contract.provider.name} is withdrawn`);
    const newDays = termDays(from, days);
    if (!isStorable(newDays)) throw wrongField(START_FIELD, 'must let the term end before 9999-12-31');
    const asked = renewalChangeOf(request);
    const term = nextTerm(state, newDays, rates, asked === null ? undefined : changesOf([asked.change]));
    checkExpectedAmount(request.expected_amount, term.premium);
    const coverageChange = asked && { kind: asked.kind, details: asked.details };
    const data = { ...policyIds(state), term, autoRenew, coverageChange, effectiveAt: from };
    return [{ type: PolicyRenewed.type, data }];
  },
  result: ({ state, events }) => renewalResponse(state, events.at(-1)),
});
