import type { Day } from '../../src/event-sourcing/time.ts';
import { startOfDay, UTC } from '../../src/domain/values/dates.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import { dayAfter, type PolicyEvent, type Term } from '../../src/domain/policy/policy.ts';

/** The resource of a policy. */
export interface PolicyResource {
  readonly policy_id: string;
  readonly policy_number: string;
  readonly effective_from: Day;
  readonly effective_through: Day;
  readonly premium: string;
  readonly policy_holder: {
    readonly customer_id: string;
    readonly customer_name: string;
    readonly customer_email: string;
    readonly customer_phone: string | null;
  };
  readonly merchant: string;
  readonly provider: { readonly provider_id: string; readonly provider_name: string; readonly email: string | null };
  readonly coverage: string;
  readonly policy_type: string;
  readonly renewable: boolean;
  /** The first moment after the last covered day; null when the policy cannot be renewed. */
  readonly renewal_date: string | null;
  readonly inspection_required: boolean;
  readonly cerfication_required: boolean;
  readonly status: 'accepted' | 'active' | 'cancelled';
  readonly cancellation_initiator: string | null;
  readonly cancellation_reason: string | null;
  readonly cancellation_date: string | null;
  readonly beneficiaries: readonly { readonly beneficiary_id: string; readonly beneficiary_name: string }[];
}

/** Period and premium are those of the term that ends last, also when an earlier one is recorded after it. */
function withTerm(resource: PolicyResource, term: Term): PolicyResource {
  return term.through > resource.effective_through
    ? { ...resource, ...termFields(term, resource.renewable) }
    : resource;
}

function termFields(term: Term, renewable: boolean) {
  const renewalDay = renewable ? dayAfter(term.through) : null;
  return {
    effective_from: term.from,
    effective_through: term.through,
    premium: term.premium,
    renewal_date: renewalDay === null ? null : startOfDay(renewalDay, UTC),
  };
}

/**
 * Folds an event into the resource of its policy. Commands and the projection use the same fold, so that answers to POST and
 * GET agree.
 * @throws {Error} when an event comes before the policy exists
 */
export function foldPolicyResource(
  resource: PolicyResource | undefined,
  event: RecordedEvent<PolicyEvent>,
): PolicyResource {
  if (event.type === 'PolicyImported' || event.type === 'PolicyPurchased') {
    const { data } = event;
    const beneficiaries = event.type === 'PolicyPurchased' ? event.data.beneficiaries : [];
    return {
      policy_id: data.policyId,
      policy_number: data.policyNumber,
      ...termFields(data.term, data.renewable),
      policy_holder: {
        customer_id: data.customerId,
        customer_name: data.holder.name,
        customer_email: data.holder.email,
        customer_phone: data.holder.phone,
      },
      merchant: data.merchantName,
      provider: { provider_id: data.provider.id, provider_name: data.provider.name, email: data.provider.email },
      coverage: data.coverage,
      policy_type: data.product.type,
      renewable: data.renewable,
      inspection_required: data.inspectionRequired,
      cerfication_required: data.certificationRequired,
      status: data.status,
      cancellation_initiator: null,
      cancellation_reason: null,
      cancellation_date: null,
      beneficiaries: beneficiaries.map(({ beneficiaryId, name }) => ({
        beneficiary_id: beneficiaryId,
        beneficiary_name: name,
      })),
    };
  }
  if (resource === undefined) throw new Error(`${event.type} in ${event.stream} before the policy exists`);
  switch (event.type) {
    case 'PolicyTermImported':
      return {
        ...withTerm(resource, event.data.term),
        status: resource.status === 'cancelled' ? 'cancelled' : event.data.status,
      };
    case 'PolicyActivated':
      return { ...resource, status: resource.status === 'cancelled' ? 'cancelled' : 'active' };
    case 'PolicyRenewed':
      return withTerm(resource, event.data.term);
    case 'PolicyCancelled':
      return {
        ...resource,
        status: 'cancelled',
        cancellation_initiator: event.data.initiator,
        cancellation_reason: event.data.reason,
        cancellation_date: event.data.cancelledAt,
      };
    default:
      return event satisfies never;
  }
}
