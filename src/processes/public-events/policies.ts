import { z } from 'zod';
import { day, moment } from '../../event-sourcing/time.ts';
import { worldOf } from '../../domain/values/world.ts';
import type { PolicyEvent } from '../../domain/policy/policy.ts';
import { definePublicEvent, publicEvent, type Translations } from './definition.ts';
import { amount, fields } from './fields.ts';

const ids = {
  effective_at: fields.effectiveAt,
  policy_id: fields.policyId,
  tenant_id: fields.tenantId,
  environment_id: fields.environmentId,
  customer_id: fields.customerId,
};

const status = z.enum(['accepted', 'active']).describe('accepted until cover starts, then active.');

const term = {
  effective_from: day.describe('First day covered.'),
  effective_through: day.describe('Last day covered.'),
  premium: amount('Premium of this term, in the currency in which the policy was bought or imported.'),
  annual_premium: amount('Premium for 365 days of this term, in the same currency.'),
};

const duration = z.int().describe('Days from effective_from to effective_through; both days are covered.');

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
  {
    ...ids,
    ...contract,
    policy_duration: duration,
    auto_renew: z.boolean(),
  },
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
  'A further term of an imported policy; its dates may be before those of terms published earlier.',
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
  },
);

export const PolicyRenewedPublic = definePublicEvent(
  'policies',
  'surety.policy.renewed.v1',
  'A policy has a further term.',
  {
    ...ids,
    ...term,
    policy_duration: duration,
    auto_renew: z.boolean(),
    coverage_change: z.enum(['additional', 'modified']).nullable().describe('Whether cover was added or changed.'),
  },
);

export const PolicyCancelledPublic = definePublicEvent(
  'policies',
  'surety.policy.cancelled.v1',
  'A policy has ended.',
  { ...ids, cancelled_at: moment.describe('When it was cancelled, in UTC.') },
);

export const POLICY_EVENTS = [
  PolicyPurchasedPublic,
  PolicyImportedPublic,
  PolicyTermImportedPublic,
  PolicyActivatedPublic,
  PolicyRenewedPublic,
  PolicyCancelledPublic,
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

interface PricedTerm {
  readonly from: string;
  readonly through: string;
  readonly premium: string;
  readonly annualPremium: string;
}

const termOf = ({ from, through, premium, annualPremium }: PricedTerm) => ({
  effective_from: from,
  effective_through: through,
  premium,
  annual_premium: annualPremium,
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
    publicEvent(PolicyPurchasedPublic, data.policyId, worldOf(data.testMode), {
      ...idsOf(data),
      ...contractOf(data),
      policy_duration: data.days,
      auto_renew: data.autoRenew,
    }),
  PolicyImported: ({ data }) =>
    publicEvent(PolicyImportedPublic, data.policyId, worldOf(data.testMode), { ...idsOf(data), ...contractOf(data) }),
  PolicyTermImported: ({ data }) =>
    publicEvent(PolicyTermImportedPublic, data.policyId, worldOf(data.testMode), {
      ...idsOf(data),
      status: data.status,
      ...termOf(data.term),
    }),
  PolicyActivated: ({ data }) =>
    publicEvent(PolicyActivatedPublic, data.policyId, worldOf(data.testMode), { ...idsOf(data), cause: data.cause }),
  PolicyRenewed: ({ data }) =>
    publicEvent(PolicyRenewedPublic, data.policyId, worldOf(data.testMode), {
      ...idsOf(data),
      ...termOf(data.term),
      policy_duration: data.days,
      auto_renew: data.autoRenew,
      coverage_change: data.coverageChange?.kind ?? null,
    }),
  PolicyCancelled: ({ data }) =>
    publicEvent(PolicyCancelledPublic, data.policyId, worldOf(data.testMode), {
      ...idsOf(data),
      cancelled_at: data.cancelledAt,
    }),
};
