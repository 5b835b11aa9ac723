import { categoryOf, idOf } from '../../src/event-sourcing/aggregate.ts';
import type { ClaimEvent, ClaimMove } from '../../src/domain/claim/claim-events.ts';
import { stageAfter } from '../../src/domain/claim/claim.ts';
import { statusOf } from '../../src/domain/claim/stages.ts';
import { resolutionDay } from '../../src/domain/claim/claim.ts';
import type { CustomerEvent } from '../../src/domain/customer/customer.ts';
import type { Day } from '../../src/event-sourcing/time.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import type { PolicyEvent } from '../../src/domain/policy/policy-events.ts';
import type { Term } from '../../src/domain/policy/term.ts';
import { FoldError, defineProjection, type EventAddress, requireDocument } from '../projection.ts';

export interface CustomerTerm {
  readonly start_date: Day;
  readonly end_date: Day;
  readonly premium_amount: string;
}

export interface CustomerPolicy {
  readonly policy_id: string;
  readonly policy_type: string;
  readonly status: 'accepted' | 'active' | 'cancelled';
  /** By start day; they never overlap. Never empty. */
  readonly terms: readonly CustomerTerm[];
}

/** A claim in the list of a customer's claims. */
export interface CustomerClaim {
  readonly claim_id: string;
  readonly policy_id: string;
  readonly claim_status: string;
  readonly claim_amount: string | null;
  readonly date_filed: Day;
  readonly date_resolved: Day | null;
}

/** A customer with all policies and claims, each in the order in which they were recorded. */
export interface CustomerDocument {
  readonly customer_id: string;
  /** Tenant id. */
  readonly merchant_id: string;
  readonly environment_id: number;
  readonly test_mode: boolean;
  readonly full_name: string;
  readonly customer_email: string;
  readonly customer_phone: string | null;
  readonly date_of_birth: Day | null;
  readonly address: string | null;
  readonly policies: readonly CustomerPolicy[];
  readonly claims: readonly CustomerClaim[];
}

type FoldedEvent = CustomerEvent | PolicyEvent | ClaimEvent;

function customerTagOf({ customer }: EventAddress['metadata']): string | undefined {
  return typeof customer === 'string' ? customer : undefined;
}

/** Customers by id, folded from their own streams and those of their policies and claims. */
export const customers = defineProjection<CustomerDocument>({
  name: 'customers',
  version: 3,
  categories: ['customer', 'policy', 'claim'],
  indexNames: ['merchant', 'test_mode'],
  key: ({ stream, metadata }) => (categoryOf(stream) === 'customer' ? idOf(stream) : customerTagOf(metadata)),
  fold: (document, event) => fold(document, event as RecordedEvent<FoldedEvent>),
  indexes: ({ merchant_id, test_mode }) => ({ merchant: merchant_id, test_mode }),
});

function fold(document: CustomerDocument | undefined, event: RecordedEvent<FoldedEvent>): CustomerDocument {
  switch (event.type) {
    case 'CustomerRegistered':
      return newCustomer(event.data);
    case 'PolicyImported':
    case 'PolicyPurchased':
      return withPolicy(requireDocument(document, event), {
        policy_id: event.data.policyId,
        policy_type: event.data.product.type,
        status: event.data.status,
        terms: [toCustomerTerm(event.data.term)],
      });
    case 'PolicyTermImported':
    case 'PolicyRenewed': {
      const before = policyOf(requireDocument(document, event), event.data.policyId);
      const status = statusWith(before.status, event);
      const terms = [...before.terms, toCustomerTerm(event.data.term)].sort((a, b) =>
        a.start_date < b.start_date ? -1 : 1,
      );
      return changePolicy(requireDocument(document, event), { ...before, status, terms });
    }
    case 'PolicyActivated': {
      const before = policyOf(requireDocument(document, event), event.data.policyId);
      const status = before.status === 'cancelled' ? 'cancelled' : 'active';
      const { movedTerm } = event.data;
      const terms =
        movedTerm === null
          ? before.terms
          : before.terms.map((term) => ({ ...term, start_date: movedTerm.from, end_date: movedTerm.through }));
      return changePolicy(requireDocument(document, event), { ...before, status, terms });
    }
    case 'TermWithdrawn': {
      const before = policyOf(requireDocument(document, event), event.data.policyId);
      return changePolicy(requireDocument(document, event), { ...before, terms: before.terms.slice(0, -1) });
    }
    case 'AutoRenewalSwitched':
    case 'AutoRenewalStopped':
      return requireDocument(document, event);
    case 'PolicyDeclined':
    case 'PolicyCancelled': {
      const before = policyOf(requireDocument(document, event), event.data.policyId);
      return changePolicy(requireDocument(document, event), { ...before, status: 'cancelled' });
    }
    case 'ClaimSubmitted':
    case 'ClaimImported':
      return withClaim(requireDocument(document, event), event);
    case 'ClaimDocumentsAdded':
      return requireDocument(document, event);
    default:
      return changeClaim(requireDocument(document, event), event);
  }
}

function newCustomer(data: CustomerEvent['data']): CustomerDocument {
  return {
    customer_id: data.customerId,
    merchant_id: data.merchantId,
    environment_id: data.environmentId,
    test_mode: data.testMode,
    full_name: data.fullName,
    customer_email: data.email,
    customer_phone: data.phone,
    date_of_birth: data.dateOfBirth,
    address: data.address,
    policies: [],
    claims: [],
  };
}

function toCustomerTerm({ from, through, premium }: Term): CustomerTerm {
  return { start_date: from, end_date: through, premium_amount: premium };
}

/** As in the policy's own resource: an additional imported term may be the first that has begun; `cancelled` is final. */
function statusWith(status: CustomerPolicy['status'], event: RecordedEvent<PolicyEvent>): CustomerPolicy['status'] {
  return event.type === 'PolicyTermImported' && status !== 'cancelled' ? event.data.status : status;
}

function policyOf(document: CustomerDocument, policyId: string): CustomerPolicy {
  const found = document.policies.find(({ policy_id }) => policy_id === policyId);
  if (found === undefined) throw new FoldError('the policy is not among those of the customer');
  return found;
}

function withPolicy(document: CustomerDocument, added: CustomerPolicy): CustomerDocument {
  return { ...document, policies: [...document.policies, added] };
}

function changePolicy(document: CustomerDocument, changed: CustomerPolicy): CustomerDocument {
  const policies = document.policies.map((policy) => (policy.policy_id === changed.policy_id ? changed : policy));
  return { ...document, policies };
}

type Filing = Extract<ClaimEvent, { readonly type: 'ClaimSubmitted' | 'ClaimImported' }>;

function withClaim(document: CustomerDocument, event: RecordedEvent<Filing>): CustomerDocument {
  const added: CustomerClaim = {
    claim_id: event.data.claimId,
    policy_id: event.data.policyId,
    claim_status: statusOf(stageAfter(event)),
    claim_amount: event.data.amount,
    date_filed: event.data.filedOn,
    date_resolved: null,
  };
  return { ...document, claims: [...document.claims, added] };
}

function changeClaim(document: CustomerDocument, event: RecordedEvent<ClaimMove>): CustomerDocument {
  const index = document.claims.findIndex(({ claim_id }) => claim_id === event.data.claimId);
  const before = document.claims[index];
  if (before === undefined) throw new FoldError('the claim is not among those of the customer');
  const changed = { ...before, claim_status: statusOf(stageAfter(event)), date_resolved: resolutionDay(event) };
  return { ...document, claims: document.claims.with(index, changed) };
}
