import type { Day } from '../../src/event-sourcing/time.ts';
import { dayAfter, startOfDay } from '../../src/domain/values/dates.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import { lastTerm, nextShownTermDay, shownTerm, termState } from '../../src/domain/policy/cover.ts';
import {
  evolveLifecycle,
  type FirstPolicyEvent,
  firstLifecycle,
  type Lifecycle,
  type PolicyTerm,
} from '../../src/domain/policy/lifecycle.ts';
import type { PolicyEvent } from '../../src/domain/policy/policy-events.ts';

/** The resource of a policy. */
export interface PolicyResource {
  readonly policy_id: string;
  readonly policy_number: string;
  /** Dates, premium and coverage are those of the shown term. */
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
  /** The first moment after the last agreed term; null when the policy cannot be renewed. */
  readonly renewal_date: string | null;
  readonly inspection_required: boolean;
  readonly cerfication_required: boolean;
  readonly status: 'accepted' | 'active' | 'cancelled';
  readonly cancellation_initiator: string | null;
  readonly cancellation_reason: string | null;
  readonly cancellation_date: string | null;
  readonly beneficiaries: readonly { readonly beneficiary_id: string; readonly beneficiary_name: string }[];
}

/** The fields of a term in the API that do not depend on the day. */
interface TermFacts {
  readonly from: Day;
  readonly through: Day;
  readonly premium: string;
  readonly coverages: readonly {
    readonly coverage_name: string;
    readonly coverage_type: string | null;
    readonly coverage_limit: string | null;
    /** JSON text of `covered_items`, if there are any. */
    readonly covered_items?: string;
  }[];
}

/** A term in a document. */
export interface DocumentTerm extends TermFacts {
  readonly isWithdrawn: boolean;
}

/** The fields of a policy that never change, and its lifecycle. Its resource on any day follows from both. */
export interface FoldedPolicy {
  readonly facts: Omit<PolicyResource, keyof ReturnType<typeof fieldsOfDay>>;
  readonly currency: string;
  readonly lifecycle: Lifecycle<DocumentTerm>;
}

function toDocumentTerm({ from, through, premium, coverages, isWithdrawn }: PolicyTerm): DocumentTerm {
  return {
    from,
    through,
    premium,
    coverages: coverages.map(({ name, type, limit, coveredItems }) => ({
      coverage_name: name,
      coverage_type: type,
      coverage_limit: limit,
      ...(coveredItems === undefined ? {} : { covered_items: JSON.stringify(coveredItems) }),
    })),
    isWithdrawn,
  };
}

/**
 * Folds an event into a policy. Commands and the projection use the same fold, so that answers to POST and GET agree.
 * @throws {Error} when an event comes before the policy exists
 */
export function foldPolicy(policy: FoldedPolicy | undefined, event: RecordedEvent<PolicyEvent>): FoldedPolicy {
  if (event.type === 'PolicyImported' || event.type === 'PolicyPurchased') {
    return { facts: factsOf(event), currency: event.data.currency, lifecycle: firstLifecycle(event, toDocumentTerm) };
  }
  if (policy === undefined) throw new Error(`${event.type} in ${event.stream} before the policy exists`);
  return { ...policy, lifecycle: evolveLifecycle(policy.lifecycle, event, toDocumentTerm) };
}

function factsOf(event: RecordedEvent<FirstPolicyEvent>): FoldedPolicy['facts'] {
  const { data } = event;
  const beneficiaries = event.type === 'PolicyPurchased' ? event.data.beneficiaries : [];
  return {
    policy_id: data.policyId,
    policy_number: data.policyNumber,
    policy_holder: {
      customer_id: data.customerId,
      customer_name: data.holder.name,
      customer_email: data.holder.email,
      customer_phone: data.holder.phone,
    },
    merchant: data.merchantName,
    provider: { provider_id: data.provider.id, provider_name: data.provider.name, email: data.provider.email },
    policy_type: data.product.type,
    inspection_required: data.inspectionRequired,
    cerfication_required: data.certificationRequired,
    beneficiaries: beneficiaries.map(({ beneficiaryId, name }) => ({
      beneficiary_id: beneficiaryId,
      beneficiary_name: name,
    })),
  };
}

function fieldsOfDay(lifecycle: Lifecycle<DocumentTerm>, day: Day) {
  const { status, timeZone, cancellation } = lifecycle;
  const renewable = lifecycle.renewable && cancellation === null;
  const shown = shownTerm(lifecycle, day);
  const renewalDay = renewable ? dayAfter(lastTerm(lifecycle).through) : null;
  return {
    effective_from: shown.from,
    effective_through: shown.through,
    premium: shown.premium,
    coverage: shown.coverages.map(({ coverage_name }) => coverage_name).join(', '),
    renewable,
    renewal_date: renewalDay === null ? null : startOfDay(renewalDay, timeZone),
    status,
    cancellation_initiator: cancellation?.initiator ?? null,
    cancellation_reason: cancellation?.reason ?? null,
    cancellation_date: cancellation?.at ?? null,
  };
}

/** Returns the resource of a policy on a day in its zone: it shows the term of the day. */
export function policyResourceOn(
  { facts, lifecycle }: Pick<FoldedPolicy, 'facts' | 'lifecycle'>,
  day: Day,
): PolicyResource {
  const { policy_id, policy_number, policy_holder, merchant, provider, policy_type, ...rest } = facts;
  const { effective_from, effective_through, premium, coverage, renewable, renewal_date, ...ended } = fieldsOfDay(
    lifecycle,
    day,
  );
  return {
    ...{ policy_id, policy_number, effective_from, effective_through, premium, policy_holder, merchant, provider },
    ...{ coverage, policy_type, renewable, renewal_date },
    inspection_required: rest.inspection_required,
    cerfication_required: rest.cerfication_required,
    ...ended,
    beneficiaries: rest.beneficiaries,
  };
}

/** Returns the first moment at which another term is shown than on the day; null when there is none. */
export function nextShownTermMoment(lifecycle: Lifecycle<DocumentTerm>, day: Day): string | null {
  const next = nextShownTermDay(lifecycle, day);
  return next === null ? null : startOfDay(next, lifecycle.timeZone);
}

/** Returns the resources of all terms of a policy on a day in its zone, by first day. */
export function termResourcesOn({ currency, lifecycle }: FoldedPolicy, day: Day) {
  return lifecycle.terms.map((term) => ({
    from: term.from,
    through: term.through,
    premium: term.premium,
    currency,
    coverages: term.coverages.map(({ covered_items, ...coverage }) =>
      covered_items === undefined ? coverage : { ...coverage, covered_items: JSON.parse(covered_items) as unknown },
    ),
    state: termState(lifecycle, term, day),
  }));
}
