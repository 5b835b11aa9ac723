import type { Day } from '../../src/event-sourcing/time.ts';
import type { ClaimDocument } from '../claims/claim-document.ts';
import type { PolicyResource } from '../policies/policy-resource.ts';
import type { CustomerDocument } from './customers.ts';

/** The part of a customer's resource that its own stream makes. */
export type CustomerDetails = Omit<CustomerDocument, 'merchant_id' | 'environment_id' | 'test_mode'>;

/** A policy in the resource of its customer. Period and premium are those of the shown term. */
export interface PolicySummary {
  readonly policy_id: string;
  readonly policy_type: string;
  readonly status: string;
  readonly start_date: Day;
  readonly end_date: Day;
  readonly premium_amount: string;
}

/** A claim in the resource and in the list of its customer. */
export interface ClaimSummary {
  readonly claim_id: string;
  readonly policy_id: string;
  readonly claim_status: string;
  readonly claim_amount: string | null;
  readonly date_filed: Day;
  readonly date_resolved: Day | null;
}

/** Returns the part of a customer's resource that its own stream makes. */
export function customerDetails(document: CustomerDocument): CustomerDetails {
  const { merchant_id: _, environment_id: __, test_mode: ___, ...details } = document;
  return details;
}

/** Returns the paths of all policies and all claims of a customer. */
export function customerLinks({ customer_id }: Pick<CustomerDetails, 'customer_id'>) {
  const path = `/api/v1/customers/${customer_id}`;
  return { policies: `${path}/policies/`, claims: `${path}/claims/` };
}

/** Returns the summary of a policy, given its resource on the day. */
export function policySummary(resource: PolicyResource): PolicySummary {
  const { policy_id, policy_type, status, effective_from, effective_through, premium } = resource;
  return {
    policy_id,
    policy_type,
    status,
    start_date: effective_from,
    end_date: effective_through,
    premium_amount: premium,
  };
}

/** Returns the summary of a claim. */
export function claimSummary({ view, extra }: ClaimDocument): ClaimSummary {
  return {
    claim_id: view.claim_id,
    policy_id: view.policy,
    claim_status: view.claim_status,
    claim_amount: view.claim_amount,
    date_filed: view.claim_date,
    date_resolved: extra.date_resolved,
  };
}
