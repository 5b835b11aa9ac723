import { recordedAtOf } from '../../projections/projection.ts';
import { claims } from '../../projections/claims/claims.ts';
import { type MerchantDocument, merchants } from '../../projections/merchants/merchants.ts';
import { policies, type PolicyDocument, resourceAt } from '../../projections/policies/policies.ts';
import type { PolicyResource } from '../../projections/policies/policy-resource.ts';
import { redactMerchant } from '../merchants.ts';
import { claimPath, environmentChoice, merchantPath, policyPath } from '../parameters.ts';
import { getClaimDocument, getMerchantDocument, getPolicyDocument } from '../resources.ts';
import { requireVisible } from '../stored-documents.ts';
import type { StoredEvent } from '../../src/event-store/event-store.ts';
import { defineHistory } from './define-history.ts';
import { historyOf } from './history-page.ts';

/** Returns the resource on the day on which the event was recorded, in the zone of the policy. */
export function policyResourceAt(document: PolicyDocument, event: StoredEvent): PolicyResource {
  return resourceAt(document, recordedAtOf(event));
}

export const getPolicyHistory = defineHistory({
  name: 'GetPolicyHistory',
  summary: 'Lists everything that happened to a policy, oldest first, with what each event changed.',
  pathParameters: policyPath,
  search: environmentChoice,
  read: async ({ path, search }, context) => {
    const stored = await getPolicyDocument(context, path.policy_id, search.environment_id);
    return historyOf(context, { projection: policies, toResource: policyResourceAt }, stored);
  },
});

export const getClaimHistory = defineHistory({
  name: 'GetClaimHistory',
  summary:
    'Lists everything that happened to a claim, oldest first, with what each event changed; a document appears by the SHA-256 of its content.',
  pathParameters: claimPath,
  search: environmentChoice,
  read: async ({ path, search }, context) => {
    const stored = await getClaimDocument(context, path.id, search.environment_id);
    return historyOf(context, { projection: claims, toResource: ({ view }) => view }, stored);
  },
});

export const getMerchantHistory = defineHistory({
  name: 'GetMerchantHistory',
  summary: 'Lists everything that happened to a merchant, oldest first; a merchant reads its own only.',
  pathParameters: merchantPath,
  search: {},
  read: async ({ path }, context) => {
    const { reader } = context;
    const stored = requireVisible(
      await getMerchantDocument(context, path.short_code),
      'merchant_not_found',
      ({ key }) => reader.role !== 'merchant' || key === reader.merchantId,
    );
    const toResource = (document: MerchantDocument): object => redactMerchant(reader, document);
    return historyOf(context, { projection: merchants, toResource }, stored);
  },
});
