import { z } from 'zod';
import { type Day, day, instant } from '#event-sourcing/time.ts';
import { dayAfter, startOfDay } from '#domain/values/dates.ts';
import { formatMoney, money, parseSum, sum } from '#domain/values/money.ts';
import { larger } from '#domain/values/price.ts';
import { paidUnder } from '#domain/policy/claim-payments.ts';
import {
  COVER_STATES,
  coverOn,
  isInForce,
  lastTerm,
  POLICY_STATUSES,
  shownTerm,
  statusOn,
  termState,
} from '#domain/policy/cover.ts';
import type { PolicyState } from '#domain/policy/policy.ts';
import { lastPeriod, type Period, periodOn, type Term } from '#domain/policy/term.ts';
import {
  beneficiaryResourcesOf,
  beneficiarySchema,
  coverageResourcesOf,
  coverageSchema,
} from '#domain/policy/resource-parts.ts';
import { roundedAnnualNet } from '#domain/policy/timeline.ts';
import type { ResourceOf } from '../schema.ts';

const unknown = 'null where it is not known, as in imported terms';

export const inForceSchema = z.boolean().meta({
  description: 'Whether the policy covers the day: today in its time zone, or the day of `as_of`',
});

export const coverStateSchema = z.enum(COVER_STATES).meta({
  description:
    'Cover on the same day. `not_begun`: the first term begins later; `waiting`: for its activation; `in_force`; `gap`: another term begins later; `expired`: the last term is over; `cancelled`: it has ended and is not in force',
});

export const policySchema = z
  .strictObject({
    policy_id: z.uuid(),
    policy_number: z.string().meta({ description: "The insurer's reference" }),
    effective_from: day.meta({
      description: 'First day of the term of the day; without one, of the last that has begun, else of the first',
    }),
    effective_through: day.meta({
      description: 'Last day of that term as it was agreed; a cancellation does not change it',
    }),
    premium: money.meta({
      description: 'Price of that term: net price, fee and tax; a cancellation does not change it',
    }),
    tax: money.nullable().meta({ description: `Tax in the premium; ${unknown}` }),
    currency: z.string(),
    term_id: z.uuid().meta({ description: 'Id of that term, which transactions name' }),
    policy_holder: z.strictObject({
      customer_id: z.uuid(),
      customer_name: z.string(),
      customer_email: z.string(),
      customer_phone: z.string().nullable(),
    }),
    merchant: z.string().meta({ description: 'Name of the merchant that sold it' }),
    merchant_short_code: z.string(),
    environment_id: z.int(),
    test_mode: z.boolean(),
    time_zone: z.string().meta({ description: 'IANA time zone in which its days are counted' }),
    provider: z.strictObject({ provider_id: z.uuid(), provider_name: z.string(), email: z.string().nullable() }),
    product: z.strictObject({ id: z.uuid(), name: z.string() }),
    coverage: z.string().meta({ description: 'Names of the coverages' }),
    coverages: z.array(coverageSchema).meta({ description: 'Coverages of the day' }),
    policy_type: z.string().meta({ description: 'The product type' }),
    renewable: z.boolean(),
    auto_renew: z.boolean(),
    renewal_date: instant.nullable().meta({
      description: 'The first instant after the last agreed day; null when not renewable, and once an end is recorded',
    }),
    inspection_required: z.boolean(),
    cerfication_required: z.boolean().meta({ description: 'Spelt so in the specification of the API' }),
    status: z.enum(POLICY_STATUSES).meta({
      description:
        '`active` also after the last term; `cancelled` from the day after the last day of cover, or on that day if decided on it or later',
    }),
    in_force: inForceSchema,
    cover: coverStateSchema,
    cancellation_initiator: z.string().nullable().meta({ description: "The merchant's name, `admin`, or `import`" }),
    cancellation_reason: z.string().nullable(),
    cancellation_date: instant.nullable().meta({
      description:
        'An instant on the last day of cover (`effective_on`): that of the decision if made on this day, else 23:59:59; it may lie in the future',
    }),
    beneficiaries: z.array(beneficiarySchema),
    customer_reference: z
      .string()
      .nullable()
      .meta({ description: "The merchant's number of the customer as it is now, also in views of the past" }),
  })
  .meta({ id: 'Policy' });

export type PolicyResource = ResourceOf<typeof policySchema>;

const periodSchema = z
  .strictObject({
    from: day,
    through: day,
    coverages: z.array(coverageSchema),
    annual_net: sum.meta({ description: 'Net price of a year; of an imported term rounded' }),
    net: sum.meta({ description: 'Its part of the net price of the term' }),
  })
  .meta({ id: 'Period' });

export const termSchema = z
  .strictObject({
    term_id: z.uuid(),
    from: day.meta({ description: 'First day' }),
    through: day.meta({ description: 'Last day as agreed; a cancellation does not change it' }),
    premium: money.meta({
      description: 'Price of the term: net price, fee and tax; transactions have what was returned',
    }),
    net: sum,
    fee: sum,
    tax: sum.nullable().meta({ description: `Tax on net price and fee; ${unknown}` }),
    commission: sum.nullable().meta({ description: `Commission, a part of the net price; ${unknown}` }),
    currency: z.string(),
    periods: z.array(periodSchema).meta({ description: 'They follow one another and fill the term' }),
    claim_payments: z
      .array(
        z.strictObject({
          coverage_name: z.string(),
          paid: sum,
          limit_left: sum.nullable().meta({ description: 'Null without a limit' }),
        }),
      )
      .meta({ description: 'Payments for incidents of the term, by the coverages of its last period' }),
    state: z.enum(['past', 'in_force', 'upcoming', 'withdrawn', 'cancelled']).meta({
      description:
        'On this day, in the zone of the policy. `upcoming` also while the policy waits for activation; `past` also after a cancellation that cuts the term short; `cancelled`: the policy ended before the first day',
    }),
  })
  .meta({ id: 'Term' });

type TermResource = ResourceOf<typeof termSchema>;
/** What the events of a policy make of its resource: all but the reference, which is that of the customer now. */
export type PolicyView = Omit<PolicyResource, 'customer_reference'>;

function isRenewable({ contract, end }: PolicyState): boolean {
  return contract.renewable && end === null;
}

/** Returns the day after the last agreed term; null when the policy is not renewable, and once an end is recorded. */
export function renewalDayOf(policy: PolicyState): Day | null {
  return isRenewable(policy) ? dayAfter(lastTerm(policy).through) : null;
}

/** Returns the view of a policy on a day in its zone: it shows the term of the day. */
export function policyViewOn(policy: PolicyState, day: Day): PolicyView {
  const { contract, end } = policy;
  const { holder, provider, product, timeZone } = contract;
  const shown = shownTerm(policy, day);
  const { coverages } = periodOn(shown, day);
  const renewalDay = renewalDayOf(policy);
  return {
    policy_id: policy.policyId,
    policy_number: contract.policyNumber,
    effective_from: shown.from,
    effective_through: shown.through,
    premium: shown.premium,
    tax: shown.tax,
    currency: policy.currency,
    term_id: shown.termId,
    policy_holder: {
      customer_id: policy.customerId,
      customer_name: holder.name,
      customer_email: holder.email,
      customer_phone: holder.phone,
    },
    merchant: contract.merchantName,
    merchant_short_code: contract.merchantShortCode,
    environment_id: policy.environmentId,
    test_mode: policy.testMode,
    time_zone: timeZone,
    provider: { provider_id: provider.id, provider_name: provider.name, email: provider.email },
    product: { id: product.id, name: product.name },
    coverage: coverages.map(({ name }) => name).join(', '),
    coverages: coverageResourcesOf(coverages),
    policy_type: product.type,
    renewable: isRenewable(policy),
    auto_renew: policy.autoRenew,
    renewal_date: renewalDay === null ? null : startOfDay(renewalDay, timeZone),
    inspection_required: contract.inspectionRequired,
    cerfication_required: contract.certificationRequired,
    status: statusOn(policy, day),
    in_force: isInForce(policy, day),
    cover: coverOn(policy, day),
    cancellation_initiator: end?.initiator ?? null,
    cancellation_reason: end?.reason ?? null,
    cancellation_date: end?.at ?? null,
    beneficiaries: beneficiaryResourcesOf(policy.beneficiaries),
  };
}

type PeriodResource = TermResource['periods'][number];

/** A history compares the terms after each event, which share the periods that it did not change. */
const periodResources = new WeakMap<Period, PeriodResource>();

function periodResourceOf(period: Period): PeriodResource {
  const { from, through, coverages, net } = period;
  const resource = periodResources.get(period) ?? {
    from,
    through,
    coverages: coverageResourcesOf(coverages),
    annual_net: formatMoney(roundedAnnualNet(period)),
    net,
  };
  periodResources.set(period, resource);
  return resource;
}

function claimPaymentsOf(policy: PolicyState, term: Term): TermResource['claim_payments'] {
  return lastPeriod(term).coverages.map(({ name, limit }) => {
    const paid = paidUnder(policy, term, name);
    const left = limit === null ? null : formatMoney(larger(parseSum(limit) - paid, 0n));
    return { coverage_name: name, paid: formatMoney(paid), limit_left: left };
  });
}

/** Returns the resources of all terms of a policy on a day in its zone, by first day. */
export function termResourcesOn(policy: PolicyState, day: Day): readonly TermResource[] {
  return policy.terms.map((term) => ({
    term_id: term.termId,
    from: term.from,
    through: term.through,
    premium: term.premium,
    net: term.net,
    fee: term.fee,
    tax: term.tax,
    commission: term.commission,
    currency: policy.currency,
    periods: term.periods.map(periodResourceOf),
    claim_payments: claimPaymentsOf(policy, term),
    state: termState(policy, term, day),
  }));
}
