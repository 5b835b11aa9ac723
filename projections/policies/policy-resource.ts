import { z } from 'zod';
import { type Day, day, instant } from '../../src/event-sourcing/time.ts';
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
import { money, type ResourceOf } from '../schema.ts';

export const POLICY_STATUSES = ['accepted', 'cancelled', 'active'] as const;

export const policySchema = z
  .strictObject({
    policy_id: z.uuid(),
    policy_number: z.string().meta({ description: "The insurer's reference" }),
    effective_from: day.meta({ description: 'First day of the term of the day, or of the last that has begun' }),
    effective_through: day.meta({ description: 'Last day of it' }),
    premium: money.meta({ description: 'What that term costs' }),
    policy_holder: z.strictObject({
      customer_id: z.uuid(),
      customer_name: z.string(),
      customer_email: z.string(),
      customer_phone: z.string().nullable(),
    }),
    merchant: z.string().meta({ description: 'Name of the merchant that sold it' }),
    provider: z.strictObject({ provider_id: z.uuid(), provider_name: z.string(), email: z.string().nullable() }),
    coverage: z.string().meta({ description: 'Names of the coverages' }),
    policy_type: z.string().meta({ description: 'The product type' }),
    renewable: z.boolean(),
    renewal_date: instant
      .nullable()
      .meta({ description: 'The first moment after the last day; null when not renewable' }),
    inspection_required: z.boolean(),
    cerfication_required: z.boolean().meta({ description: 'Spelt so in the contract' }),
    status: z.enum(POLICY_STATUSES),
    cancellation_initiator: z.string().nullable().meta({ description: "The merchant's name, `admin`, or `import`" }),
    cancellation_reason: z.string().nullable(),
    cancellation_date: instant.nullable(),
    beneficiaries: z.array(z.strictObject({ beneficiary_id: z.uuid(), beneficiary_name: z.string() })),
  })
  .meta({ id: 'Policy' });

export type PolicyResource = ResourceOf<typeof policySchema>;

const coverageSchema = z
  .strictObject({
    coverage_name: z.string(),
    coverage_type: z.string().nullable(),
    coverage_limit: money.nullable(),
    covered_items: z.json().optional().meta({ description: 'As they were sent with a renewal' }),
  })
  .meta({ id: 'Coverage' });

export const termSchema = z
  .strictObject({
    from: day.meta({ description: 'First day' }),
    through: day.meta({ description: 'Last day' }),
    premium: money.meta({ description: 'What the term costs, tax included' }),
    currency: z.string(),
    coverages: z.array(coverageSchema),
    state: z.enum(['past', 'in_force', 'upcoming', 'withdrawn', 'cancelled']).meta({
      description:
        'On this day, in the zone of the policy. `upcoming` also while the policy waits for activation; `cancelled`: the policy ended before the first day',
    }),
  })
  .meta({ id: 'Term' });

type Term = Readonly<z.infer<typeof termSchema>>;

interface DocumentTerm extends Pick<Term, 'from' | 'through' | 'premium'> {
  readonly coverages: readonly (Readonly<Omit<Term['coverages'][number], 'covered_items'>> & {
    /** JSON text, if there are any. */
    readonly covered_items?: string;
  })[];
  readonly isWithdrawn: boolean;
}

/** The fields of a policy that never change, and its lifecycle. Its resource on any day follows from both. */
export interface FoldedPolicy {
  readonly details: Omit<PolicyResource, keyof ReturnType<typeof fieldsOfDay>>;
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
 * Folds an event into a policy. Commands and the projection use the same fold, so that responses to POST and GET agree.
 * @throws {Error} when an event comes before the policy exists
 */
export function foldPolicy(policy: FoldedPolicy | undefined, event: RecordedEvent<PolicyEvent>): FoldedPolicy {
  if (event.type === 'PolicyImported' || event.type === 'PolicyPurchased') {
    return {
      details: detailsOf(event),
      currency: event.data.currency,
      lifecycle: firstLifecycle(event, toDocumentTerm),
    };
  }
  if (policy === undefined) throw new Error(`${event.type} in ${event.stream} before the policy exists`);
  return { ...policy, lifecycle: evolveLifecycle(policy.lifecycle, event, toDocumentTerm) };
}

function detailsOf(event: RecordedEvent<FirstPolicyEvent>): FoldedPolicy['details'] {
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
  { details, lifecycle }: Pick<FoldedPolicy, 'details' | 'lifecycle'>,
  day: Day,
): PolicyResource {
  const { policy_id, policy_number, policy_holder, merchant, provider, policy_type, ...rest } = details;
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

/** Returns the first instant at which another term is shown than on the day; null when there is none. */
export function nextShownTermInstant(lifecycle: Lifecycle<DocumentTerm>, day: Day): string | null {
  const next = nextShownTermDay(lifecycle, day);
  return next === null ? null : startOfDay(next, lifecycle.timeZone);
}

/** Returns the resources of all terms of a policy on a day in its zone, by first day. */
export function termResourcesOn({ currency, lifecycle }: FoldedPolicy, day: Day): readonly Term[] {
  return lifecycle.terms.map((term) => ({
    from: term.from,
    through: term.through,
    premium: term.premium,
    currency,
    coverages: term.coverages.map(({ covered_items, ...coverage }) =>
      covered_items === undefined
        ? coverage
        : { ...coverage, covered_items: JSON.parse(covered_items) as Term['coverages'][number]['covered_items'] },
    ),
    state: termState(lifecycle, term, day),
  }));
}
