import { z } from 'zod';
import { day, instant } from '../../event-sourcing/time.ts';
import { modeOf } from '../../domain/values/mode.ts';
import type { PolicyEvent } from '../../domain/policy/policy-events.ts';
import type { ReturnPremium, Term } from '../../domain/policy/term.ts';
import { amount, fields, publicEvent, type PublicEventsOf, sum } from './definition.ts';

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

const idsOf = ({ effectiveAt, policyId, merchantId, environmentId, customerId }: PolicyEvent['data']) => ({
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

export const policies: PublicEventsOf<PolicyEvent> = {
  subject: 'policies',
  aggregateIdOf: ({ policyId }) => policyId,
  visibilityOf: ({ testMode }) => modeOf(testMode),
  events: {
    PolicyPurchased: publicEvent(
      'surety.policy.purchased.v1',
      'A policy was bought with a quote.',
      { ...ids, ...contract, policy_duration: duration, auto_renew: z.boolean() },
      ({ data }) => ({ ...idsOf(data), ...contractOf(data), policy_duration: data.days, auto_renew: data.autoRenew }),
    ),
    PolicyImported: publicEvent(
      'surety.policy.imported.v1',
      'A policy was imported from another book, with its first term.',
      { ...ids, ...contract },
      ({ data }) => ({ ...idsOf(data), ...contractOf(data) }),
    ),
    PolicyTermImported: publicEvent(
      'surety.policy.term_imported.v1',
      'Another term of an imported policy; its dates may be before those of terms published earlier.',
      { ...ids, status, ...term },
      ({ data }) => ({ ...idsOf(data), status: data.status, ...termOf(data.term) }),
    ),
    PolicyActivated: publicEvent(
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
      ({ data }) => ({ ...idsOf(data), cause: data.cause, moved_term: data.movedTerm && datesOf(data.movedTerm) }),
    ),
    PolicyRenewed: publicEvent(
      'surety.policy.renewed.v1',
      'A term was added to a policy.',
      {
        ...ids,
        ...term,
        policy_duration: duration,
        auto_renew: z.boolean(),
        coverage_change: z.enum(['additional', 'modified']).nullable().describe('Whether cover was added or changed.'),
      },
      ({ data }) => ({
        ...idsOf(data),
        ...termOf(data.term),
        policy_duration: data.days,
        auto_renew: data.autoRenew,
        coverage_change: data.coverageChange?.kind ?? null,
      }),
    ),
    TermWithdrawn: publicEvent(
      'surety.policy.term_withdrawn.v1',
      'The last term of a policy was taken back before it began; the policy no longer renews automatically.',
      { ...ids, returned },
      ({ data }) => ({ ...idsOf(data), returned: returnedOf(data.returned) }),
    ),
    AutoRenewalSwitched: publicEvent(
      'surety.policy.auto_renewal_switched.v1',
      'Automatic renewal was switched on or off.',
      { ...ids, auto_renew: z.boolean() },
      ({ data }) => ({ ...idsOf(data), auto_renew: data.autoRenew }),
    ),
    AutoRenewalStopped: publicEvent(
      'surety.policy.auto_renewal_stopped.v1',
      'A due renewal cannot succeed: the policy no longer renews automatically.',
      { ...ids, reason: z.string().describe('`product_withdrawn` or `premium_out_of_range`.') },
      ({ data }) => ({ ...idsOf(data), reason: data.reason }),
    ),
    PolicyCancelled: publicEvent(
      'surety.policy.cancelled.v1',
      'A policy was cancelled; its cover ends with the day of the cancellation.',
      {
        ...ids,
        cancelled_at: instant.describe('When it was cancelled, in UTC.'),
        returned: z.array(returned).describe('Terms of which premium is returned.'),
      },
      ({ data }) => ({ ...idsOf(data), cancelled_at: data.cancelledAt, returned: data.returned.map(returnedOf) }),
    ),
    PolicyDeclined: publicEvent(
      'surety.policy.declined.v1',
      'The insurer declined an accepted policy; it never covers anything.',
      { ...ids, declined_at: instant.describe('When it was declined, in UTC.'), returned: z.array(returned) },
      ({ data }) => ({ ...idsOf(data), declined_at: data.declinedAt, returned: data.returned.map(returnedOf) }),
    ),
  },
};
