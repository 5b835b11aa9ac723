import { z } from 'zod';
import { type Day, day } from '../../src/event-sourcing/time.ts';
import type { NewEvent, Recorded } from '../../src/event-sourcing/event.ts';
import { MAX_MINOR, type Minor, parseMoney } from '../../src/domain/values/money.ts';
import {
  dayAfter,
  lastTerm,
  type PolicyEvent,
  PolicyRenewed,
  type PolicyState,
  policy,
} from '../../src/domain/policy/policy.ts';
import { Refusal, wrongField } from '../../src/domain/refusals.ts';
import { checkedAcross, type AddIssue, isShallow, policyNamed } from '../shared/checks.ts';
import { type ExecutedCommand, defineCommand, stateOf } from '../../src/command-handling/command.ts';
import { findPolicy, policyReference } from './find-policy.ts';
import { tagsOf } from './policy-ids.ts';
import { annualPremiumOf, checkRenewable, endsInTime, type Renewal, renewed } from './renewal-term.ts';
import { recordDecision } from '../../src/command-handling/record-decision.ts';

const AMOUNT_FIELD = ['coverage_details', 'additional_amount'];

/** The body of `POST /api/v1/policies/renew/` (specification, PolicyRenewalRequest). */
export const renewPolicyInput = checkedAcross(
  z.strictObject({
    ...policyReference,
    preferred_policy_start_date: day,
    policy_duration: z.int().min(1, 'must be 1 to 365 days').max(365, 'must be 1 to 365 days'),
    include_additional_coverage: z.boolean().default(false),
    modify_exisitng_coverage: z.boolean().default(false),
    coverage_details: z.record(z.string(), z.unknown()).optional(),
    auto_renew: z.boolean().default(false),
  }),
  (values, addIssue) => {
    policyNamed(values, addIssue);
    checkCoverage(values, addIssue);
  },
);

/** Additional and modified coverage exclude each other and need `coverage_details` (`decisions`: Policies, Renewal). */
function checkCoverage(values: Readonly<Record<string, unknown>>, addIssue: AddIssue): void {
  const { include_additional_coverage: additional, modify_exisitng_coverage: modified } = values;
  const details = values.coverage_details as Record<string, unknown> | null | undefined;
  if (additional === true && modified === true) {
    addIssue(['modify_exisitng_coverage'], 'excludes include_additional_coverage');
  }
  if ((additional === true || modified === true) && details === undefined) {
    addIssue(['coverage_details'], 'is needed when coverage is added or modified');
  }
  if (typeof details !== 'object' || details === null) return;
  if (!isShallow(details)) addIssue(['coverage_details'], 'is nested too deeply');
  if (additional === true && additionalAmount(details) === undefined) {
    addIssue(AMOUNT_FIELD, 'must be an amount that is not negative, with at most 8 integer and 2 decimal digits');
  }
}

/** The amount of the details, none counting as nothing; undefined when it is not an amount. */
function additionalAmount(details: Readonly<Record<string, unknown>>): Minor | undefined {
  const amount = details.additional_amount ?? '0';
  if (typeof amount !== 'number' && typeof amount !== 'string') return undefined;
  try {
    const minor = parseMoney(String(amount));
    return minor < 0n ? undefined : minor;
  } catch {
    return undefined;
  }
}

type RenewalRequest = z.output<typeof renewPolicyInput>;

/**
 * A new term after the last one (`decisions`: Policies, Renewal).
 * @throws {Refusal} `policy_not_renewable`, `renewal_overlaps_current_term` with `earliest_start`, `invalid_request` for a
 * start in the past or a price that the interface cannot carry
 */
export function decideRenewal(
  state: PolicyState,
  { request, today }: { readonly request: RenewalRequest; readonly today: Day },
): readonly NewEvent<PolicyEvent>[] {
  const { preferred_policy_start_date: start, policy_duration: days, auto_renew: autoRenew } = request;
  if (start < today) throw wrongField('preferred_policy_start_date', 'must not be in the past');
  checkRenewable(state);
  checkAfterLastTerm(state, start);
  if (!endsInTime(start, days))
    throw wrongField('preferred_policy_start_date', 'must let the term end before the year 9999 does');
  const added = request.include_additional_coverage ? (additionalAmount(request.coverage_details ?? {}) ?? 0n) : 0n;
  if (annualPremiumOf(state) + added > MAX_MINOR)
    throw wrongField(AMOUNT_FIELD.join('.'), 'makes the premium longer than 8 integer digits');
  return renewed(state, { start, days, autoRenew, coverageChange: coverageChangeOf(request), added });
}

function coverageChangeOf(request: RenewalRequest): Renewal['coverageChange'] {
  const details = request.coverage_details as Record<string, z.core.util.JSONType> | undefined;
  if (details === undefined) return null;
  if (request.include_additional_coverage) return { kind: 'additional', details };
  return request.modify_exisitng_coverage ? { kind: 'modified', details } : null;
}

function checkAfterLastTerm(state: PolicyState, start: Day): void {
  const { through } = lastTerm(state.terms);
  if (start > through) return;
  const earliest = dayAfter(through);
  const detail = `The policy is covered through ${through}; a renewal can start on ${earliest ?? 'no day'} at the earliest`;
  throw new Refusal('renewal_overlaps_current_term', detail, {
    fields: [{ field: 'preferred_policy_start_date', message: `must be later than ${through}` }],
    members: { earliest_start: earliest },
  });
}

/** The answer to a renewal (specification, Renewal response). */
function renewalResponse(history: readonly Recorded<PolicyEvent>[], own: Recorded<PolicyEvent> | undefined) {
  if (own?.type !== PolicyRenewed.type) throw new Error('a renewal is answered from its event');
  const state = stateOf(policy, history);
  return {
    renewal_status: 'success',
    message: 'Policy renewal successful',
    data: {
      policy_id: state.policyId,
      policy_number: state.policyNumber,
      policy_duration: own.data.days,
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
      renewal_date: dayAfter(own.data.term.through),
    },
  };
}

export const renewPolicy = defineCommand({
  name: 'RenewPolicy',
  summary: 'Adds a new term after the last one of a policy.',
  input: renewPolicyInput,
  roles: ['merchant', 'admin'],
  inEnvironment: true,
  creates: false,
  changesOneStream: true,
  handle: async (request, context) => {
    const found = await findPolicy(context, request);
    context.checkIfMatch(found);
    const events = decideRenewal(found.state, { request, today: context.today });
    return await recordDecision(context, found, events, tagsOf(found.state));
  },
  result: ({ history, own }: ExecutedCommand<PolicyEvent>) => renewalResponse(history, own.at(-1)),
});
