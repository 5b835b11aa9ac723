import { z } from 'zod';
import { type Day, day } from '../../src/event-sourcing/time.ts';
import type { NewEvent, RecordedEvent } from '../../src/event-sourcing/event.ts';
import { addDays } from '../../src/domain/values/dates.ts';
import { formatMoney, MAX_MINOR, type MinorUnits, parseMoney, proRata } from '../../src/domain/values/money.ts';
import {
  dayAfter,
  isStorableTerm,
  lastTerm,
  type PolicyEvent,
  PolicyRenewed,
  type PolicyState,
  policy,
  policyIds,
  policyTags,
} from '../../src/domain/policy/policy.ts';
import { Refusal, wrongField } from '../../src/domain/refusals.ts';
import { defineCommand, type ExecutedCommand, stateOf } from '../../src/command-handling/command.ts';
import { type AddIssue, withCrossFieldCheck, isShallow } from '../shared/checks.ts';
import { checkPolicyReference, findPolicy, policyReference } from './find-policy.ts';

/** The longest term in days. */
export const MAX_TERM_DAYS = 365;
const AMOUNT_FIELD = ['coverage_details', 'additional_amount'];

/** The body of `POST /api/v1/policies/renew/`. */
export const renewPolicyInput = withCrossFieldCheck(
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
    checkCoverage(values, addIssue);
  },
);

/** Additional and modified coverage exclude each other, and both need `coverage_details`. */
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
  if (additional === true && additionalAmountOf(details) === undefined) {
    addIssue(AMOUNT_FIELD, 'must be an amount that is not negative, with at most 8 integer and 2 decimal digits');
  }
}

/** Returns `additional_amount`, 0 when it is missing, undefined when it is not an amount. */
function additionalAmountOf(details: Readonly<Record<string, unknown>>): MinorUnits | undefined {
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
 * Adds a term after the last one.
 * @throws {Refusal} `policy_not_renewable`; `renewal_overlaps_current_term` with `earliest_start`; `invalid_request`
 * for a start in the past or a premium of more than 8 integer digits
 */
export function decideRenewal(
  state: PolicyState,
  { request, today }: { readonly request: RenewalRequest; readonly today: Day },
): readonly NewEvent<PolicyEvent>[] {
  const { preferred_policy_start_date: start, policy_duration: days, auto_renew: autoRenew } = request;
  if (start < today) throw wrongField('preferred_policy_start_date', 'must not be in the past');
  checkRenewable(state);
  checkAfterLastTerm(state, start);
  if (!isStorableTerm(start, days))
    throw wrongField('preferred_policy_start_date', 'must let the term end before the year 9999 does');
  const additionalAmount = request.include_additional_coverage
    ? (additionalAmountOf(request.coverage_details ?? {}) ?? 0n)
    : 0n;
  if (annualPremiumOf(state) + additionalAmount > MAX_MINOR)
    throw wrongField(AMOUNT_FIELD.join('.'), 'makes the premium longer than 8 integer digits');
  return renewalEvents(state, { start, days, autoRenew, coverageChange: coverageChangeOf(request), additionalAmount });
}

/** @throws {Refusal} `policy_not_renewable` */
export function checkRenewable(state: PolicyState): void {
  if (state.renewable && state.status !== 'cancelled') return;
  const why = state.status === 'cancelled' ? 'it is cancelled' : 'its product is not renewable';
  throw new Refusal('policy_not_renewable', `The policy cannot be renewed: ${why}`);
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

function coverageChangeOf(request: RenewalRequest): Renewal['coverageChange'] {
  const details = request.coverage_details as Record<string, z.core.util.JSONType> | undefined;
  if (details === undefined) return null;
  if (request.include_additional_coverage) return { kind: 'additional', details };
  return request.modify_exisitng_coverage ? { kind: 'modified', details } : null;
}

/** A renewal that passed every check. */
interface Renewal {
  readonly start: Day;
  /** 1 to 365. */
  readonly days: number;
  readonly autoRenew: boolean;
  readonly coverageChange: {
    readonly kind: 'additional' | 'modified';
    readonly details: Readonly<Record<string, z.core.util.JSONType>>;
  } | null;
  /** Annual price of the added coverage. */
  readonly additionalAmount: MinorUnits;
}

/**
 * Prices the new term: the annual premium of the last term by days, and the additional amount in full. The risk stays
 * the same.
 */
export function renewalEvents(state: PolicyState, renewal: Renewal): readonly NewEvent<PolicyEvent>[] {
  const { start, days, autoRenew, coverageChange, additionalAmount } = renewal;
  const { paymentFrequency, risk } = lastTerm(state.terms);
  const annualPremium = annualPremiumOf(state);
  const term = {
    from: start,
    through: addDays(start, days),
    premium: formatMoney(proRata(annualPremium, days) + additionalAmount),
    annualPremium: formatMoney(annualPremium + additionalAmount),
    paymentFrequency,
    risk,
    premiumParts: {},
  };
  const data = { ...policyIds(state), term, days, autoRenew, coverageChange, effectiveAt: start };
  return [{ type: PolicyRenewed.type, data }];
}

function annualPremiumOf(state: PolicyState): MinorUnits {
  return parseMoney(lastTerm(state.terms).annualPremium);
}

function renewalResponse(
  history: readonly RecordedEvent<PolicyEvent>[],
  renewal: RecordedEvent<PolicyEvent> | undefined,
) {
  if (renewal?.type !== PolicyRenewed.type) throw new Error('the last event of a renewal is not PolicyRenewed');
  const state = stateOf(policy, history);
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
      renewal_date: dayAfter(renewal.data.term.through),
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
    return { target: found, events, tags: policyTags(found.state) };
  },
  result: ({ history, events }: ExecutedCommand<PolicyEvent>) => renewalResponse(history, events.at(-1)),
});
