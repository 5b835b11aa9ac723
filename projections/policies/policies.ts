import { normalise } from '#event-sourcing/identifiers.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import type { Day, Instant } from '#event-sourcing/time.ts';
import { modeOf } from '#domain/values/mode.ts';
import { dayAfter, startOfDay } from '#domain/values/dates.ts';
import { activeRuns, countsAsActive, lastViewChange, nextViewChange, todayOf } from '#domain/policy/cover.ts';
import { dueChangeOf } from '#domain/policy/due.ts';
import { evolvePolicy, type PolicyState } from '#domain/policy/policy.ts';
import { isFirstEvent, type PolicyEvent } from '#domain/policy/policy-events.ts';
import { type PolicyView, policyViewOn, renewalDayOf } from './policy-resource.ts';
import { insurerIndex, ownedValue, ownerOf } from '../owner.ts';
import { defineProjection, requireDocument } from '../projection.ts';
import type { ResourceDocument } from '../schema.ts';

const ACTIVE_INDEXES = ['active_from', 'active_until', 'active_next_from'] as const;
/** The end of cover of imported policies without an end. */
const LAST_INSTANT: Instant = '9999-12-31T23:59:59.999Z';

/** The first run of days, not over at the last event, on which the policy counts as active. */
interface ActiveTime {
  /** First instant; null when there is no such run. */
  readonly from: Instant | null;
  /** First instant after it. */
  readonly until: Instant | null;
  /** First instant of the next such run, after a gap. */
  readonly nextFrom: Instant | null;
}

/** `view` is that of the day of the last event. */
export type PolicyDocument = ResourceDocument<
  PolicyView,
  {
    /**
     * Last day by the last event on which the calendar alone changed the view. The text begins with it
     * (`viewChangedOn`).
     */
    readonly changed_on: Day | null;
    readonly policy: PolicyState;
    /** First instant at which the calendar alone makes another view. */
    readonly shown_until: Instant | null;
    /** When it is active, if no further event changes it. */
    readonly active: ActiveTime;
  }
>;

/**
 * Policies by id. The index `number` holds the normalised policy number, as its reservation does; `waiting` the mode of
 * a policy that waits for its activation. The values of the
 * indexes `active_…` begin with the customer (`activeIndex`), so that the store counts the active policies of a
 * customer by the indexes alone.
 */
export const policies = defineProjection<PolicyDocument>({
  name: 'policies',
  version: 4,
  categories: ['policy'],
  indexNames: [
    'owner',
    'owner_status',
    'owner_type',
    'owner_renewal',
    'test_mode',
    'environment',
    'number',
    'customer',
    'insurer',
    'due',
    'waiting',
    'shown_until',
    ...ACTIVE_INDEXES,
  ],
  countedBy: ['test_mode', 'customer', 'insurer'],
  fold: (document, event) => fold(document, event as RecordedEvent<PolicyEvent>),
  indexes: (document) => {
    const { view, extra } = document;
    const owner = ownerOf({ merchant_id: extra.policy.merchantId, test_mode: view.test_mode });
    const renewalDay = renewalDayOf(extra.policy);
    return {
      owner,
      owner_status: ownedValue(owner, settledStatus(extra.policy)),
      owner_type: ownedValue(owner, view.policy_type),
      owner_renewal: renewalDay === null ? null : ownedValue(owner, renewalDay),
      test_mode: view.test_mode,
      environment: view.environment_id,
      number: normalise(view.policy_number),
      customer: view.policy_holder.customer_id,
      insurer: insurerIndex(view.provider.provider_id, view.test_mode),
      due: dueInstantOf(document),
      waiting: isWaiting(extra.policy) ? modeOf(extra.policy.testMode) : null,
      shown_until: extra.shown_until,
      ...activeIndexes(document),
    };
  },
});

/** Returns whether the policy waits for its activation. */
function isWaiting({ waits, end }: PolicyState): boolean {
  return waits && end === null;
}

/** Returns the status that the policy has once a recorded end has come. */
function settledStatus({ status, end }: PolicyState): PolicyView['status'] {
  return end === null ? status : 'cancelled';
}

/**
 * Returns the value of an index `active_…` for an instant; for an empty text, a lower bound of all values of the
 * customer.
 */
export function activeIndex(customerId: string, instant: Instant): string {
  return `${customerId} ${instant}`;
}

/** Returns whether a policy counts as active at an instant, on the day in its zone. */
export function isActiveAt({ extra: { policy } }: PolicyDocument, now: Instant): boolean {
  return countsAsActive(policy, todayOf(policy, now));
}

/** Returns the view of a policy at an instant, on the day in its zone. */
export function viewAt({ extra: { policy } }: PolicyDocument, instant: Instant): PolicyView {
  return policyViewOn(policy, todayOf(policy, instant));
}

const CHANGED_ON = /^\{"extra":\{"changed_on":"([\d-]+)"/;

/** Returns `changed_on` from the text of a document without parsing it, because single reads are hot. */
export function viewChangedOn(body: string): Day | null {
  return CHANGED_ON.exec(body)?.[1] ?? null;
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

function activeTimeOf(policy: PolicyState, day: Day): ActiveTime {
  const [current, next] = activeRuns(policy).filter(({ through }) => through >= day);
  if (current === undefined) return { from: null, until: null, nextFrom: null };
  const end = dayAfter(current.through);
  return {
    from: startOfDay(current.from, policy.contract.timeZone),
    until: end === null ? LAST_INSTANT : startOfDay(end, policy.contract.timeZone),
    nextFrom: next === undefined ? null : startOfDay(next.from, policy.contract.timeZone),
  };
}

/** Returns the first instant at which the scheduler changes the policy; null when only a person can change it. */
function dueInstantOf({ extra: { policy } }: PolicyDocument): Instant | null {
  const due = dueChangeOf(policy);
  return due === undefined ? null : startOfDay(due.day, policy.contract.timeZone);
}

function fold(document: PolicyDocument | undefined, event: RecordedEvent<PolicyEvent>): PolicyDocument {
  const before = isFirstEvent(event) ? undefined : requireDocument(document, event).extra.policy;
  const policy = evolvePolicy(before, event);
  const day = todayOf(policy, event.metadata.recordedAt);
  const next = nextViewChange(policy, day);
  return {
    extra: {
      changed_on: lastViewChange(policy, day),
      policy,
      shown_until: next === null ? null : startOfDay(next, policy.contract.timeZone),
      active: activeTimeOf(policy, day),
    },
    view: policyViewOn(policy, day),
  };
}
