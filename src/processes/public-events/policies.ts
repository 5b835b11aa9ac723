import { z } from 'zod';
import { day, instant } from '../../event-sourcing/time.ts';
import { modeOf } from '../../domain/values/mode.ts';
import type { PolicyEvent } from '../../domain/policy/policy-events.ts';
import type { ReturnPremium, Term } from '../../domain/policy/term.ts';
import { definePublicEvent, publicEvent, type Translations } from './definition.ts';
import { amount, fields, sum } from './fields.ts';

const ids = {
  effective_at: fields.effectiveAt,
  policy_id: fields.policyId,
  tenant_id: fields.tenantId,
  environment_id: fields.environmentId,
  customer_id: fields.customerId,
};

const status = z.enum(['accepted', 'active']).describe('accepted until cover starts, then active.');

const part = (text: string) => sum(`${text} Null where it is not known.`).nullable();
const dates = {
  effective_from: day.describe('First day covered.'),
  effective_through: day.describe('Last day covered.'),
};

const term = {
  ...dates,
  premium: amount('Gross premium of this term, in the currency in which the policy was bought or imported.'),
  tax: part('Tax in the premium.'),
  surcharge: part('Surcharge in the premium.'),
  commission: part('Commission on the net premium.'),
  annual_premium: sum('Gross premium for 365 days. Null for an imported term.').nullable(),
};

const returned = z
  .strictObject({
    ...dates,
    premium: sum('What is returned of the gross premium.'),
    tax: part('What is returned of the tax.'),
    commission: part('What is returned of the commission.'),
  })
  .describe('What is returned of the premium of one term.');

const duration = z.int().describe('Days for which the term was agreed.');

const contract = {
  policy_number: z.string(),
  provider_id: fields.providerId,
  product_id: fields.productId,
  product_type: z.string(),
  status,
  currency: fields.currency,
  renewable: z.boolean(),
  ...term,
};

export const PolicyPurchasedPublic = definePublicEvent(
  'policies',
  'surety.policy.purchased.v1',
  'A policy was bought with a quote.',
  { ...ids, ...contract, policy_duration: duration, auto_renew: z.boolean() },
);

export const PolicyImportedPublic = definePublicEvent(
  'policies',
  'surety.policy.imported.v1',
  'A policy was imported from another book, with its first term.',
  { ...ids, ...contract },
);

export const PolicyTermImportedPublic = definePublicEvent(
  'policies',
  'surety.policy.term_imported.v1',
  'Another term of an imported policy; its dates may be before those of terms published earlier.',
  { ...ids, status, ...term },
);

export const PolicyActivatedPublic = definePublicEvent(
  'policies',
  'surety.policy.activated.v1',
  'An accepted policy is active.',
  {
    ...ids,
    cause: z
      .enum(['start_day', 'back_office'])
      .describe('The start day was reached, or the platform activated the policy.'),
    moved_term: z
      .strictObject(dates)
      .nullable()
      .describe(
        'New dates of the first term, which begins on the day of a later activation; null where it did not move.',
      ),
  },
);

export const PolicyRenewedPublic = definePublicEvent(
  'policies',
  'surety.policy.renewed.v1',
  'A term was added to a policy.',
  {
    ...ids,
    ...term,
    policy_duration: duration,
    auto_renew: z.boolean(),
    coverage_change: z.enum(['additional', 'modified']).nullable().describe('Whether cover was added or changed.'),
  },
);

export const TermWithdrawnPublic = definePublicEvent(
  'policies',
  'surety.policy.term_withdrawn.v1',
  'The last term of a policy was taken back before it began; the policy no longer renews automatically.',
  { ...ids, returned },
);

export const AutoRenewalSwitchedPublic = definePublicEvent(
  'policies',
  'surety.policy.auto_renewal_switched.v1',
  'Automatic renewal was switched on or off.',
  { ...ids, auto_renew: z.boolean() },
);

export const AutoRenewalStoppedPublic = definePublicEvent(
  'policies',
  'surety.policy.auto_renewal_stopped.v1',
  'A due renewal cannot succeed: the policy no longer renews automatically.',
  { ...ids, reason: z.string().describe('`product_withdrawn` or `premium_out_of_range`.') },
);

export const PolicyCancelledPublic = definePublicEvent(
  'policies',
  'surety.policy.cancelled.v1',
  'A policy was cancelled; its cover ends with the day of the cancellation.',
  {
    ...ids,
    cancelled_at: instant.describe('When it was cancelled, in UTC.'),
    returned: z.array(returned).describe('Terms of which premium is returned.'),
  },
);

export const PolicyDeclinedPublic = definePublicEvent(
  'policies',
  'surety.policy.declined.v1',
  'The insurer declined an accepted policy; it never covers anything.',
  { ...ids, declined_at: instant.describe('When it was declined, in UTC.'), returned: z.array(returned) },
);

export const POLICY_EVENTS = [
  PolicyPurchasedPublic,
  PolicyImportedPublic,
  PolicyTermImportedPublic,
  PolicyActivatedPublic,
  PolicyRenewedPublic,
  TermWithdrawnPublic,
  AutoRenewalSwitchedPublic,
  AutoRenewalStoppedPublic,
  PolicyCancelledPublic,
  PolicyDeclinedPublic,
];

interface EventIds {
  readonly effectiveAt: string;
  readonly policyId: string;
  readonly merchantId: string;
  readonly environmentId: number;
  readonly customerId: string;
}

const idsOf = ({ effectiveAt, policyId, merchantId, environmentId, customerId }: EventIds) => ({
  effective_at: effectiveAt,
  policy_id: policyId,
  tenant_id: merchantId,
  environment_id: environmentId,
  customer_id: customerId,
});

const datesOf = ({ from, through }: Pick<Term, 'from' | 'through'>) => ({
  effective_from: from,
  effective_through: through,
});

const termOf = ({ from, through, premium, tax, surcharge, commission, annual }: Term) => ({
  ...datesOf({ from, through }),
  premium,
  tax,
  surcharge,
  commission,
  annual_premium: annual?.premium ?? null,
});

const returnedOf = ({ premium, tax, commission, ...period }: ReturnPremium) => ({
  ...datesOf(period),
  premium,
  tax,
  commission,
});

type Contract = Extract<PolicyEvent, { type: 'PolicyPurchased' | 'PolicyImported' }>['data'];

const contractOf = (data: Contract) => ({
  policy_number: data.policyNumber,
  provider_id: data.provider.id,
  product_id: data.product.id,
  product_type: data.product.type,
  status: data.status,
  currency: data.currency,
  renewable: data.renewable,
  ...termOf(data.term),
});

export const policyTranslations: Translations<PolicyEvent> = {
  PolicyPurchased: ({ data }) =>
    publicEvent(PolicyPurchasedPublic, data.policyId, modeOf(data.testMode), {
      ...idsOf(data),
      ...contractOf(data),
      policy_duration: data.days,
      auto_renew: data.autoRenew,
    }),
  PolicyImported: ({ data }) =>
    publicEvent(PolicyImportedPublic, data.policyId, modeOf(data.testMode), { ...idsOf(data), ...contractOf(data) }),
  PolicyTermImported: ({ data }) =>
    publicEvent(PolicyTermImportedPublic, data.policyId, modeOf(data.testMode), {
      ...idsOf(data),
      status: data.status,
      ...termOf(data.term),
    }),
  PolicyActivated: ({ data }) =>
    publicEvent(PolicyActivatedPublic, data.policyId, modeOf(data.testMode), {
      ...idsOf(data),
      cause: data.cause,
      moved_term: data.movedTerm && datesOf(data.movedTerm),
    }),
  PolicyRenewed: ({ data }) =>
    publicEvent(PolicyRenewedPublic, data.policyId, modeOf(data.testMode), {
      ...idsOf(data),
      ...termOf(data.term),
      policy_duration: data.days,
      auto_renew: data.autoRenew,
      coverage_change: data.coverageChange?.kind ?? null,
    }),
  TermWithdrawn: ({ data }) =>
    publicEvent(TermWithdrawnPublic, data.policyId, modeOf(data.testMode), {
      ...idsOf(data),
      returned: returnedOf(data.returned),
    }),
  AutoRenewalSwitched: ({ data }) =>
    publicEvent(AutoRenewalSwitchedPublic, data.policyId, modeOf(data.testMode), {
      ...idsOf(data),
      auto_renew: data.autoRenew,
    }),
  AutoRenewalStopped: ({ data }) =>
    publicEvent(AutoRenewalStoppedPublic, data.policyId, modeOf(data.testMode), {
      ...idsOf(data),
      reason: data.reason,
    }),
  PolicyCancelled: ({ data }) =>
    publicEvent(PolicyCancelledPublic, data.policyId, modeOf(data.testMode), {
      ...idsOf(data),
      cancelled_at: data.cancelledAt,
      returned: data.returned.map(returnedOf),
    }),
  PolicyDeclined: ({ data }) =>
    publicEvent(PolicyDeclinedPublic, data.policyId, modeOf(data.testMode), {
      ...idsOf(data),
      declined_at: data.declinedAt,
      returned: data.returned.map(returnedOf),
    }),
};
