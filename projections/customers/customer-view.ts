import type { Day } from '../../src/event-sourcing/time.ts';
import type { CustomerClaim, CustomerDocument, CustomerPolicy } from './customers.ts';

/** A policy of a customer as the interface shows it (specification, Customer); the period is the last term's. */
export interface PolicySummary {
  readonly policy_id: string;
  readonly policy_type: string;
  readonly status: string;
  readonly start_date: Day;
  readonly end_date: Day;
  readonly premium_amount: string;
}

/** A customer as the interface shows it on a day. */
export interface CustomerView {
  readonly customer_id: string;
  readonly full_name: string;
  readonly customer_email: string;
  readonly customer_phone: string | null;
  readonly date_of_birth: Day | null;
  readonly address: string | null;
  readonly purchased_policies: readonly PolicySummary[];
  /** Not cancelled, and a term covers the day (`decisions`: Customers and claims). */
  readonly active_policies: readonly PolicySummary[];
  /** Neither paid nor denied (`decisions`: Customers and claims). */
  readonly active_claims: readonly CustomerClaim[];
}

/** The customer as it is to be answered on `today`, the UTC day. */
export function customerView(document: CustomerDocument, today: Day): CustomerView {
  const { customer_id, full_name, customer_email, customer_phone, date_of_birth, address } = document;
  return {
    customer_id,
    full_name,
    customer_email,
    customer_phone,
    date_of_birth,
    address,
    purchased_policies: document.policies.map(summary),
    active_policies: document.policies.filter((policy) => isActive(policy, today)).map(summary),
    active_claims: document.claims.filter(({ claim_status }) => claim_status !== 'paid' && claim_status !== 'denied'),
  };
}

function isActive({ status, terms }: CustomerPolicy, day: Day): boolean {
  return status !== 'cancelled' && terms.some((term) => term.start_date <= day && day <= term.end_date);
}

/** Summaries that were made already: documents share the policies that an event did not change, and so do their views. */
const summaries = new WeakMap<CustomerPolicy, PolicySummary>();

function summary(policy: CustomerPolicy): PolicySummary {
  const made = summaries.get(policy);
  if (made !== undefined) return made;
  const { policy_id, policy_type, status, terms } = policy;
  const last = terms.at(-1);
  if (last === undefined) throw new Error('a policy always has a term');
  const summary = { policy_id, policy_type, status, ...last };
  summaries.set(policy, summary);
  return summary;
}
