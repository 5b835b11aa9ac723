import type { Day } from '../../src/event-sourcing/time.ts';
import type { CustomerClaim, CustomerDocument, CustomerPolicy } from './customers.ts';

/** A policy in the resource of its customer. The period is that of the last term. */
export interface PolicySummary {
  readonly policy_id: string;
  readonly policy_type: string;
  readonly status: string;
  readonly start_date: Day;
  readonly end_date: Day;
  readonly premium_amount: string;
}

/** The resource of a customer on a day. */
export interface CustomerResource {
  readonly customer_id: string;
  readonly full_name: string;
  readonly customer_email: string;
  readonly customer_phone: string | null;
  readonly date_of_birth: Day | null;
  readonly address: string | null;
  readonly purchased_policies: readonly PolicySummary[];
  /** Not cancelled, and a term covers the day. */
  readonly active_policies: readonly PolicySummary[];
  /** Neither paid nor denied. */
  readonly active_claims: readonly CustomerClaim[];
}

/** Returns the resource of a customer. @param today UTC day that decides which policies are active */
export function toCustomerResource(document: CustomerDocument, today: Day): CustomerResource {
  const { customer_id, full_name, customer_email, customer_phone, date_of_birth, address } = document;
  return {
    customer_id,
    full_name,
    customer_email,
    customer_phone,
    date_of_birth,
    address,
    purchased_policies: document.policies.map(toSummary),
    active_policies: document.policies.filter((policy) => isActive(policy, today)).map(toSummary),
    active_claims: document.claims.filter(({ claim_status }) => claim_status !== 'paid' && claim_status !== 'denied'),
  };
}

function isActive({ status, terms }: CustomerPolicy, day: Day): boolean {
  return status !== 'cancelled' && terms.some((term) => term.start_date <= day && day <= term.end_date);
}

/** Cache: documents share the policies that an event did not change, so histories can share their summaries. */
const summaries = new WeakMap<CustomerPolicy, PolicySummary>();

function toSummary(policy: CustomerPolicy): PolicySummary {
  const cached = summaries.get(policy);
  if (cached !== undefined) return cached;
  const { policy_id, policy_type, status, terms } = policy;
  const last = terms.at(-1);
  if (last === undefined) throw new Error('a policy always has a term');
  const summary = { policy_id, policy_type, status, ...last };
  summaries.set(policy, summary);
  return summary;
}
