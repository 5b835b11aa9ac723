import { z } from 'zod';
import { addDays, type Day, day } from '../../src/domain/dates.ts';
import type { NewEvent, Recorded } from '../../src/domain/event.ts';
import { formatMoney, MAX_MINOR, type Minor, parseMoney, proRata } from '../../src/domain/money.ts';
import {
  dayAfter,
  lastTerm,
  type PolicyEvent,
  PolicyRenewed,
  type PolicyState,
  policy,
  type Term,
} from '../../src/domain/policy.ts';
import { Refusal, wrongField } from '../../src/domain/refusals.ts';
import { checkedAcross, type Complain, isShallow, policyNamed } from '../shared/checks.ts';
import { type CarriedOut, defineCommand, stateOf } from '../command.ts';
import { findPolicy, policyReference } from './find-policy.ts';
import { belongsOf, idsOf } from './policy-ids.ts';
import { recordDecision } from '../shared/record-decision.ts';

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
  (values, complain) => {
    policyNamed(values, complain);
    checkCoverage(values, complain);
  },
);

/** Additional and modified coverage exclude each other and need `coverage_details` (`decisions`: Policies, Renewal). */
function checkCoverage(values: Readonly<Record<string, unknown>>, complain: Complain): void {
  const { include_additional_coverage: additional, modify_exisitng_coverage: modified } = values;
  const details = values.coverage_details as Record<string, unknown> | null | undefined;
  if (additional === true && modified === true) {
    complain(['modify_exisitng_coverage'], 'excludes include_additional_coverage');
  }
  if ((additional === true || modified === true) && details === undefined) {
    complain(['coverage_details'], 'is needed when coverage is added or modified');
  }
  if (typeof details !== 'object' || details === null) return;
  if (!isShallow(details)) complain(['coverage_details'], 'is nested too deeply');
  if (additional === true && additionalAmount(details) === undefined) {
    complain(AMOUNT_FIELD, 'must be an amount that is not negative, with at most 8 integer and 2 decimal digits');
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
  const start = request.preferred_policy_start_date;
  const days = request.policy_duration;
  if (start < today) throw wrongField('preferred_policy_start_date', 'must not be in the past');
  if (!state.renewable || state.status === 'cancelled') {
    const why = state.status === 'cancelled' ? 'it is cancelled' : 'its product is not renewable';
    throw new Refusal('policy_not_renewable', `The policy cannot be renewed: ${why}`);
  }
  checkAfterLastTerm(state, start);
  const term = { ...pricedTerm(state, request), from: start, through: addDays(start, days) };
  // The days of a year 10000 have five digits and no longer sort as text.
  if (term.through > '9999-12-30' || term.through < start)
    throw wrongField('preferred_policy_start_date', 'must let the term end before the year 9999 does');
  const kind = request.include_additional_coverage ? 'additional' : 'modified';
  const changes = request.include_additional_coverage || request.modify_exisitng_coverage;
  const details = request.coverage_details as Record<string, z.core.util.JSONType> | undefined;
  const data = {
    ...idsOf(state),
    term,
    days,
    autoRenew: request.auto_renew,
    coverageChange: changes && details !== undefined ? ({ kind, details } as const) : null,
    effectiveAt: start,
  };
  return [{ type: PolicyRenewed.type, data }];
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

/**
 * The price: the annual premium by days, and the additional amount in full; the annual premium of the new term includes it
 * (`decisions`: Rating). The risk is that of the last term.
 */
function pricedTerm(state: PolicyState, request: RenewalRequest): Omit<Term, 'from' | 'through'> {
  const last = lastTerm(state.terms);
  const before = parseMoney(last.annualPremium);
  const added = request.include_additional_coverage ? (additionalAmount(request.coverage_details ?? {}) ?? 0n) : 0n;
  const annual = before + added;
  if (annual > MAX_MINOR) throw wrongField(AMOUNT_FIELD.join('.'), 'makes the premium longer than 8 integer digits');
  return {
    premium: formatMoney(proRata(before, request.policy_duration) + added),
    annualPremium: formatMoney(annual),
    paymentFrequency: last.paymentFrequency,
    risk: last.risk,
    premiumParts: {},
  };
}

/** The answer to a renewal (specification, Renewal response). */
function renewalResponse(history: readonly Recorded<PolicyEvent>[], renewed: Recorded<PolicyEvent> | undefined) {
  if (renewed?.type !== PolicyRenewed.type) throw new Error('a renewal is answered from its event');
  const state = stateOf(policy, history);
  return {
    renewal_status: 'success',
    message: 'Policy renewal successful',
    data: {
      policy_id: state.policyId,
      policy_number: state.policyNumber,
      policy_duration: renewed.data.days,
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
      renewal_date: dayAfter(renewed.data.term.through),
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
  handle: async (request, context) => {
    const found = await findPolicy(context, request);
    context.checkIfMatch(found);
    const events = decideRenewal(found.state, { request, today: context.today });
    return await recordDecision(context, found, events, belongsOf(found.state));
  },
  result: ({ history, own }: CarriedOut<PolicyEvent>) => renewalResponse(history, own.at(-1)),
});
