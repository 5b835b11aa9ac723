import type { ClaimEvent } from '#domain/claim/claim-events.ts';
import type { CustomerEvent } from '#domain/customer/customer.ts';
import type { PolicyEvent } from '#domain/policy/policy-events.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { type ClaimResource, claimResourceOf as claimResource, claimSchema } from './claims/claim-resource.ts';
import { type ClaimState, evolveClaim } from '#domain/claim/claim.ts';
import { customerDetails, type CustomerDocument, foldCustomer } from './customers/customers.ts';
import { customerDetailsSchema, type CustomerResource } from './customers/customer-resource.ts';
import { todayOf } from '#domain/policy/cover.ts';
import { evolvePolicy, type PolicyState } from '#domain/policy/policy.ts';
import { policySchema, type PolicyResource, policyViewOn } from './policies/policy-resource.ts';

export function policyResourceOf(history: readonly RecordedEvent<PolicyEvent>[]): PolicyResource {
  const policy = resourceOf<PolicyState, RecordedEvent<PolicyEvent>>(history, evolvePolicy);
  const view = policyViewOn(policy, todayOf(policy, history.at(-1)?.metadata.recordedAt ?? ''));
  return { ...view, customer_reference: policy.contract.customerReference };
}

export function customerDetailsOf(history: readonly RecordedEvent<CustomerEvent>[]): CustomerResource {
  return customerDetails(resourceOf<CustomerDocument, RecordedEvent<CustomerEvent>>(history, foldCustomer));
}

export function claimResourceOf(history: readonly RecordedEvent<ClaimEvent>[]): ClaimResource {
  return claimResource(resourceOf<ClaimState, RecordedEvent<ClaimEvent>>(history, evolveClaim));
}

/** Schemas of the resources, by the functions that make them. */
export const RESOURCE_SCHEMAS = {
  policyResourceOf: policySchema,
  customerDetailsOf: customerDetailsSchema,
  claimResourceOf: claimSchema,
} as const;

function resourceOf<Resource, Event>(
  history: readonly Event[],
  fold: (resource: Resource | undefined, event: Event) => Resource,
): Resource {
  const resource = history.reduce<Resource | undefined>((folded, event) => fold(folded, event), undefined);
  if (resource === undefined) throw new Error('a resource needs at least one event');
  return resource;
}
