import type { Instant } from '#event-sourcing/time.ts';
import { claimSchema } from './claims/claim-resource.ts';
import type { CustomerState } from '#domain/customer/customer.ts';
import { customerDetails, customerDocument } from './customers/customers.ts';
import { customerDetailsSchema, type CustomerResource } from './customers/customer-resource.ts';
import { todayOf } from '#domain/policy/cover.ts';
import type { PolicyState } from '#domain/policy/policy.ts';
import { policySchema, type PolicyResource, policyViewOn } from './policies/policy-resource.ts';

export { claimResourceOf } from './claims/claim-resource.ts';

export function policyResourceOf(policy: PolicyState, recordedAt: Instant): PolicyResource {
  const view = policyViewOn(policy, todayOf(policy, recordedAt));
  return { ...view, customer_reference: policy.contract.customerReference };
}

export function customerDetailsOf(customer: CustomerState): CustomerResource {
  return customerDetails(customerDocument(customer));
}

/** Schemas of the resources, by the functions that make them. */
export const RESOURCE_SCHEMAS = {
  policyResourceOf: policySchema,
  customerDetailsOf: customerDetailsSchema,
  claimResourceOf: claimSchema,
} as const;
