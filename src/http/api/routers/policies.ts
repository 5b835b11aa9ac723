import { z } from 'zod';
import { REFUND_RULES } from '#domain/policy/policy-events.ts';
import { cancelPolicy } from '#commands/policy/cancel-policy.ts';
import { changePolicy } from '#commands/policy/change-policy.ts';
import { policyReference } from '#commands/policy/find-policy.ts';
import { purchasePolicy } from '#commands/policy/purchase-policy.ts';
import { renewPolicy } from '#commands/policy/renew-policy.ts';
import { setAutoRenew } from '#commands/policy/set-auto-renew.ts';
import { setBeneficiaries } from '#commands/policy/set-beneficiaries.ts';
import { getCertificate } from '#queries/certificate/get-certificate.ts';
import { getPolicyHistory } from '#queries/history/histories.ts';
import { listMerchantTransactions } from '#queries/merchant-transactions.ts';
import { getPolicy, listMerchantPolicies, listPolicies, listPolicyTerms } from '#queries/policies.ts';
import { listPolicyTransactions } from '#queries/list-transactions.ts';
import { day } from '#event-sourcing/time.ts';
import { commandRoute } from '../handlers/command-route.ts';
import { queryRoute } from '../handlers/query-route.ts';
import { type AuthenticatedRoute, routesOf } from '../../server/route.ts';
import {
  beneficiarySchema,
  coverageSchema,
  POLICY_STATUSES,
  policySchema,
} from '#projections/policies/policy-resource.ts';
import { money, sum } from '#projections/schema.ts';

const renewed = z.strictObject({
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

const cancelled = z.strictObject({
  cancellation_status: z.enum(['success', 'preview']),
  message: z.string(),
  data: z.strictObject({
    policy_id: z.uuid(),
    policy_number: z.string(),
    policy_status: z.enum(POLICY_STATUSES).meta({ description: 'It is `cancelled` once the end has come' }),
    cancellation_date: z.iso.datetime(),
    cancellation_reason: z.string(),
    cancellation_initiator: z.string(),
    effective_on: day.meta({ description: 'Last day of cover' }),
    refund_amount: sum.meta({ description: 'Sum of net price, fee and tax returned' }),
    tax_refunded: sum.nullable().meta({ description: 'Null where the tax of every term is unknown' }),
    refund_rule: z.enum(REFUND_RULES).nullable().meta({
      description: 'The rule of the term that contains the day; `not_begun` where none does',
    }),
    currency: z.string(),
  }),
});

const changed = z.strictObject({
  change_status: z.enum(['success', 'preview']),
  message: z.string(),
  data: z.strictObject({
    policy_id: z.uuid(),
    policy_number: z.string(),
    effective_on: day.meta({
      description: 'First day with the change: tomorrow, of a policy that begins later its first day',
    }),
    premium_difference: sum.meta({ description: 'What all terms cost more than before; negative: less' }),
    tax_difference: sum.nullable().meta({ description: 'Null where the tax of every term is unknown' }),
    currency: z.string(),
    terms: z.array(
      z.strictObject({ term_id: z.uuid(), from: day, through: day, premium_before: money, premium: money }),
    ),
    coverages: z.array(coverageSchema).meta({ description: 'Coverages of the day' }),
  }),
});

/** The member of an input that names the policy. */
const POLICY = { member: 'policy_id', notFound: 'policy_not_found' } as const;

export const policyRoutes = routesOf<AuthenticatedRoute>('Policies', [
  queryRoute('/api/v1/policies', listPolicies, {
    forbiddenHint: 'a merchant lists its own policies at /api/v1/merchants/{short_code}/policies/',
  }),
  queryRoute('/api/v1/policies/:policy_id', getPolicy),
  queryRoute('/api/v1/policies/:policy_id/certificate', getCertificate, { mediaType: 'application/pdf' }),
  queryRoute('/api/v1/policies/:policy_id/history', getPolicyHistory),
  queryRoute('/api/v1/policies/:policy_id/terms', listPolicyTerms),
  queryRoute('/api/v1/policies/:policy_id/transactions', listPolicyTransactions),
  queryRoute('/api/v1/merchants/:short_code/policies', listMerchantPolicies),
  queryRoute('/api/v1/merchants/:short_code/transactions', listMerchantTransactions),
  commandRoute('/api/v1/policies', { command: purchasePolicy, response: policySchema }),
  commandRoute('/api/v1/policies/renew', {
    command: renewPolicy,
    problemMembers: { renewal_status: 'failed' },
    response: renewed,
    previewField: 'renewal_status',
  }),
  commandRoute('/api/v1/policies/cancel', {
    command: cancelPolicy,
    search: z.strictObject({
      policy_id: policyReference.policy_id,
      policy_number: z.string().min(1).max(255).optional(),
    }),
    response: cancelled,
    previewField: 'cancellation_status',
  }),
  commandRoute('/api/v1/policies/:policy_id/changes', {
    command: changePolicy,
    inPath: POLICY,
    response: changed,
    previewField: 'change_status',
  }),
  commandRoute('/api/v1/policies/:policy_id/beneficiaries', {
    command: setBeneficiaries,
    method: 'PUT',
    inPath: POLICY,
    response: z.strictObject({
      policy_id: z.uuid(),
      policy_number: z.string(),
      beneficiaries: z.array(beneficiarySchema),
    }),
  }),
  commandRoute('/api/v1/policies/:policy_id/auto_renew', {
    command: setAutoRenew,
    inPath: POLICY,
    response: z.strictObject({ policy_id: z.uuid(), policy_number: z.string(), auto_renew: z.boolean() }),
  }),
]);
