import { z } from 'zod';
import { cancelPolicy } from '../../../commands/policy/cancel-policy.ts';
import { purchasePolicy } from '../../../commands/policy/purchase-policy.ts';
import { renewPolicy } from '../../../commands/policy/renew-policy.ts';
import { setAutoRenew, setAutoRenewInput } from '../../../commands/policy/set-auto-renew.ts';
import { getPolicyHistory } from '../../../queries/history/histories.ts';
import { getPolicy, listPolicies, listPolicyTerms } from '../../../queries/policies.ts';
import { listPolicyTransactions } from '../../../queries/list-transactions.ts';
import { day } from '../../event-sourcing/time.ts';
import { commandRoute } from '../handlers/command-route.ts';
import { queryRoute } from '../handlers/query-route.ts';
import type { AuthenticatedRoute } from '../route.ts';
import { policySchema } from '../../../projections/policies/policy-resource.ts';
import { sum } from '../../../projections/schema.ts';

const renewed = z.strictObject({
  renewal_status: z.literal('success'),
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
      customer_phone: z.string().nullable(),
      customer_address: z.string().nullable(),
      policy_status: z.string(),
      policy_id: z.uuid(),
      renewable: z.boolean(),
    }),
    renewal_date: day,
  }),
});

const cancelled = z.strictObject({
  cancellation_status: z.literal('success'),
  message: z.string(),
  data: z.strictObject({
    policy_id: z.uuid(),
    policy_number: z.string(),
    policy_status: z.literal('cancelled'),
    cancellation_date: z.iso.datetime(),
    cancellation_reason: z.string(),
    cancellation_initiator: z.string(),
    refund_amount: sum.nullable().meta({ description: 'Sum of the return premiums; null when none was computed' }),
    currency: z.string(),
  }),
});

export const policyRoutes: readonly AuthenticatedRoute[] = [
  queryRoute('/api/v1/policies', listPolicies, {
    forbiddenHint: 'a merchant lists its own policies at /api/v1/merchants/{short_code}/policies/',
  }),
  queryRoute('/api/v1/policies/:policy_id', getPolicy),
  queryRoute('/api/v1/policies/:policy_id/history', getPolicyHistory),
  queryRoute('/api/v1/policies/:policy_id/terms', listPolicyTerms),
  queryRoute('/api/v1/policies/:policy_id/transactions', listPolicyTransactions),
  commandRoute('/api/v1/policies', { command: purchasePolicy, response: policySchema }),
  commandRoute('/api/v1/policies/renew', {
    command: renewPolicy,
    problemMembers: { renewal_status: 'failed' },
    response: renewed,
  }),
  commandRoute('/api/v1/policies/cancel', {
    command: cancelPolicy,
    search: z.strictObject({ policy_id: z.uuid().optional(), policy_number: z.string().min(1).max(255).optional() }),
    response: cancelled,
  }),
  commandRoute('/api/v1/policies/:policy_id/auto_renew', {
    command: setAutoRenew,
    path: {
      parameters: setAutoRenewInput.pick({ policy_id: true }),
      body: setAutoRenewInput.omit({ policy_id: true }),
      notFound: 'policy_not_found',
    },
    response: z.strictObject({ policy_id: z.uuid(), policy_number: z.string(), auto_renew: z.boolean() }),
  }),
];
