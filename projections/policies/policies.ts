import { normalise } from '../../src/event-sourcing/identifiers.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import type { Day, Instant } from '../../src/event-sourcing/time.ts';
import { dayAfter, startOfDay } from '../../src/domain/values/dates.ts';
import { coverPeriods, isActiveOn, todayOf } from '../../src/domain/policy/cover.ts';
import { dueChangeOf } from '../../src/domain/policy/due.ts';
import type { PolicyEvent } from '../../src/domain/policy/policy-events.ts';
import {
  type FoldedPolicy,
  foldPolicy,
  nextShownTermInstant,
  type PolicyResource,
  policyResourceOn,
} from './policy-resource.ts';
import { ownedValue, ownerOf } from '../owner.ts';
import { defineProjection, requireDocument } from '../projection.ts';
import type { ResourceDocument } from '../schema.ts';

const ACTIVE_INDEXES = ['active_from', 'active_until', 'active_next_from'] as const;
/** The end of cover of imported policies without an end. */
const LAST_INSTANT: Instant = '9999-12-31T23:59:59.999Z';

/** The first period, not over at the last event, in which the policy is in force and not cancelled. */
interface ActiveTime {
  /** First instant; null when there is no such period. */
  readonly from: Instant | null;
  /** First instant after it. */
  readonly until: Instant | null;
  /** First instant of the next such period, after a gap. */
  readonly nextFrom: Instant | null;
}

/** `view` is the resource on the day of the last event. */
export type PolicyDocument = ResourceDocument<
  PolicyResource,
  {
    /** Tenant id. */
    readonly merchant_id: string;
    readonly environment_id: number;
    readonly test_mode: boolean;
    /** First instant at which another term is shown than in `view`. */
    readonly shown_until: Instant | null;
    /** When it is active, if no further event changes it. */
    readonly active: ActiveTime;
    readonly currency: string;
    readonly lifecycle: FoldedPolicy['lifecycle'];
  }
>;

/**
 * Policies by id. The index `number` holds the normalised policy number, as its reservation does. The values of the indexes `active_…` begin with the customer (`activeIndex`), so that the store counts the active
 * policies of a customer by the indexes alone.
 */
export const policies = defineProjection<PolicyDocument>({
  name: 'policies',
  version: 1,
  categories: ['policy'],
  indexNames: [
    ...['owner', 'owner_status', 'owner_type', 'test_mode', 'environment', 'number', 'customer'],
    ...['due', 'shown_until', ...ACTIVE_INDEXES],
  ],
  countedBy: ['test_mode', 'customer'],
  fold: (document, event) => fold(document, event as RecordedEvent<PolicyEvent>),
  indexes: (document) => {
    const { view, extra } = document;
    const owner = ownerOf(extra);
    return {
      owner,
      owner_status: ownedValue(owner, view.status),
      owner_type: ownedValue(owner, view.policy_type),
      test_mode: extra.test_mode,
      environment: extra.environment_id,
      number: normalise(view.policy_number),
      customer: view.policy_holder.customer_id,
      due: dueInstantOf(document),
      shown_until: extra.shown_until,
      ...activeIndexes(document),
    };
  },
});

/** Returns the value of an index `active_…` for an instant; for an empty text, a lower bound of all values of the customer. */
export function activeIndex(customerId: string, instant: Instant): string {
  return `${customerId} ${instant}`;
}

/** Returns whether a policy is active at an instant: in force on the day in its zone, and not cancelled. */
export function isActiveAt({ extra: { lifecycle } }: PolicyDocument, now: Instant): boolean {
  return isActiveOn(lifecycle, todayOf(lifecycle, now));
}

/** Returns the policy as its document has it. */
export function foldedPolicyOf({ view, extra }: PolicyDocument): FoldedPolicy {
  return { details: view, currency: extra.currency, lifecycle: extra.lifecycle };
}

/** Returns the resource of a policy on a day in its zone. */
export function resourceOn(document: PolicyDocument, day: Day): PolicyResource {
  return policyResourceOn(foldedPolicyOf(document), day);
}

/** Returns the resource of a policy at an instant, on the day in its zone. */
export function resourceAt(document: PolicyDocument, instant: Instant): PolicyResource {
  return resourceOn(document, todayOf(document.extra.lifecycle, instant));
}

function activeIndexes({
  view,
  extra: { active },
}: PolicyDocument): Record<(typeof ACTIVE_INDEXES)[number], string | null> {
  const value = (instant: Instant | null) =>
    instant === null ? null : activeIndex(view.policy_holder.customer_id, instant);
  return {
    active_from: value(active.from),
    active_until: value(active.until),
    active_next_from: value(active.nextFrom),
  };
}

function activeTimeOf(lifecycle: FoldedPolicy['lifecycle'], day: Day): ActiveTime {
  const periods = lifecycle.end === null ? coverPeriods(lifecycle).filter(({ through }) => through >= day) : [];
  const [current, next] = periods;
  if (current === undefined) return { from: null, until: null, nextFrom: null };
  const end = dayAfter(current.through);
  return {
    from: startOfDay(current.from, lifecycle.timeZone),
    until: end === null ? LAST_INSTANT : startOfDay(end, lifecycle.timeZone),
    nextFrom: next === undefined ? null : startOfDay(next.from, lifecycle.timeZone),
  };
}

/** Returns the first instant at which the scheduler changes the policy; null when only a person can change it. */
function dueInstantOf({ extra: { lifecycle } }: PolicyDocument): Instant | null {
  const due = dueChangeOf(lifecycle);
  return due === undefined ? null : startOfDay(due.day, lifecycle.timeZone);
}

function fold(document: PolicyDocument | undefined, event: RecordedEvent<PolicyEvent>): PolicyDocument {
  const isFirst = event.type === 'PolicyImported' || event.type === 'PolicyPurchased';
  const before = isFirst ? undefined : foldedPolicyOf(requireDocument(document, event));
  const policy = foldPolicy(before, event);
  const { merchantId, environmentId, testMode } = event.data;
  const day = todayOf(policy.lifecycle, event.metadata.recordedAt);
  return {
    view: policyResourceOn(policy, day),
    extra: {
      merchant_id: merchantId,
      environment_id: environmentId,
      test_mode: testMode,
      shown_until: nextShownTermInstant(policy.lifecycle, day),
      active: activeTimeOf(policy.lifecycle, day),
      currency: policy.currency,
      lifecycle: policy.lifecycle,
    },
  };
}
