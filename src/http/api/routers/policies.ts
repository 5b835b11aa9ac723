import { z } from 'zod';
import { cancelPolicy } from '#commands/policy/cancel-policy.ts';
import { changePolicy } from '#commands/policy/change-policy.ts';
import { policyReference } from '#commands/policy/find-policy.ts';
import { purchasePolicy } from '#commands/policy/purchase-policy.ts';
import { renewPolicy } from '#commands/policy/renew-policy.ts';
import { setAutoRenew } from '#commands/policy/set-auto-renew.ts';
import { setBeneficiaries } from '#commands/policy/set-beneficiaries.ts';
import { getCertificate } from '#queries/certificate/get-certificate.ts';
import { getPolicyHistory } from '#queries/history/histories.ts';
import { listMerchantTransactions, listPolicyTransactions } from '#queries/transactions.ts';
import { getPolicy, listMerchantPolicies, listPolicies, listPolicyTerms } from '#queries/policies.ts';
import { commandRoute } from '../handlers/command-route.ts';
import { queryRoute } from '../handlers/query-route.ts';
import { type AuthenticatedRoute, routesOf } from '../../server/route.ts';

/** The member of an input that names the policy. */
const POLICY = { member: 'policy_id', notFound: 'policy_not_found' } as const;

export const policyRoutes = routesOf<AuthenticatedRoute>('Policies', [
  queryRoute('/api/v1/policies/', listPolicies, {
    forbiddenHint: 'a merchant lists its own policies at /api/v1/merchants/{short_code}/policies/',
  }),
  queryRoute('/api/v1/policies/:policy_id/', getPolicy),
  queryRoute('/api/v1/policies/:policy_id/certificate', getCertificate, { mediaType: 'application/pdf' }),
  queryRoute('/api/v1/policies/:policy_id/history/', getPolicyHistory),
  queryRoute('/api/v1/policies/:policy_id/terms', listPolicyTerms),
  queryRoute('/api/v1/policies/:policy_id/transactions', listPolicyTransactions),
  queryRoute('/api/v1/merchants/:short_code/policies/', listMerchantPolicies),
  queryRoute('/api/v1/merchants/:short_code/transactions', listMerchantTransactions),
  commandRoute('/api/v1/policies/', { command: purchasePolicy }),
  commandRoute('/api/v1/policies/renew/', {
    command: renewPolicy,
    problemMembers: { renewal_status: 'failed' },
    previewField: 'renewal_status',
  }),
  commandRoute('/api/v1/policies/cancel', {
    command: cancelPolicy,
    search: z.strictObject({
      policy_id: policyReference.policy_id,
      policy_number: z.string().min(1).max(255).optional(),
    }),
    addendum: 'Id and number may also be query parameters; all of them must identify the same policy.',
    previewField: 'cancellation_status',
  }),
  commandRoute('/api/v1/policies/:policy_id/changes', {
    command: changePolicy,
    inPath: POLICY,
    previewField: 'change_status',
  }),
  commandRoute('/api/v1/policies/:policy_id/beneficiaries', {
    command: setBeneficiaries,
    method: 'PUT',
    inPath: POLICY,
  }),
  commandRoute('/api/v1/policies/:policy_id/auto_renew', {
    command: setAutoRenew,
    inPath: POLICY,
  }),
]);
