import { normalise } from '#event-sourcing/identifiers.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import type { Day, Instant } from '#event-sourcing/time.ts';
import { modeOf } from '#domain/values/mode.ts';
import { dayAfter, startOfDay } from '#domain/values/dates.ts';
import { activeRuns, countsAsActive, nextViewChange, todayOf } from '#domain/policy/cover.ts';
import { dueChangeOf } from '#domain/policy/due.ts';
import { evolvePolicy, type PolicyState } from '#domain/policy/policy.ts';
import { isFirstEvent, type PolicyEvent } from '#domain/policy/policy-events.ts';
import { type PolicyView, policyViewOn, renewalDayOf } from './policy-resource.ts';
import { insurerIndex, ownedValue, ownerOf } from '../owner.ts';
import { defineProjection, requireDocument } from '../projection.ts';

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

export interface PolicyDocument {
  readonly policy: PolicyState;
  /** Day of the last event in its zone, whose view is stored. */
  readonly day: Day;
}

/**
 * Policies by id. The index `number` holds the normalised policy number, as its reservation does; `waiting` the mode of
 * a policy that waits for its activation. The values of the
 * indexes `active_…` begin with the customer (`activeIndex`), so that the store counts the active policies of a
 * customer by the indexes alone.
 */
export const policies = defineProjection<PolicyDocument>({
  name: 'policies',
  version: 5,
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
    ...ACTIVE_INDEXES,
  ],
  countedBy: ['test_mode', 'customer', 'insurer'],
  fold: (document, event) => fold(document, event as RecordedEvent<PolicyEvent>),
  indexes: (document) => {
    const { policy } = document;
    const { contract, testMode } = policy;
    const owner = ownerOf({ merchant_id: policy.merchantId, test_mode: testMode });
    const renewalDay = renewalDayOf(policy);
    return {
      owner,
      owner_status: ownedValue(owner, settledStatus(policy)),
      owner_type: ownedValue(owner, contract.product.type),
      owner_renewal: renewalDay === null ? null : ownedValue(owner, renewalDay),
      test_mode: testMode,
      environment: policy.environmentId,
      number: normalise(contract.policyNumber),
      customer: policy.customerId,
      insurer: insurerIndex(contract.provider.id, testMode),
      due: dueInstantOf(policy),
      waiting: isWaiting(policy) ? modeOf(testMode) : null,
      ...activeIndexes(document),
    };
  },
  view: ({ policy, day }) => {
    const next = nextViewChange(policy, day);
    const until = next === null ? null : startOfDay(next, policy.contract.timeZone);
    return { resource: policyViewOn(policy, day), until };
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
export function isActiveAt({ policy }: PolicyDocument, now: Instant): boolean {
  return countsAsActive(policy, todayOf(policy, now));
}

/** Returns the view of a policy at an instant, on the day in its zone. */
export function viewAt({ policy }: PolicyDocument, instant: Instant): PolicyView {
  return policyViewOn(policy, todayOf(policy, instant));
}

function activeIndexes({ policy, day }: PolicyDocument): Record<(typeof ACTIVE_INDEXES)[number], string | null> {
  const active = activeTimeOf(policy, day);
  const value = (instant: Instant | null) => (instant === null ? null : activeIndex(policy.customerId, instant));
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
function dueInstantOf(policy: PolicyState): Instant | null {
  const due = dueChangeOf(policy);
  return due === undefined ? null : startOfDay(due.day, policy.contract.timeZone);
}

function fold(document: PolicyDocument | undefined, event: RecordedEvent<PolicyEvent>): PolicyDocument {
  const before = isFirstEvent(event) ? undefined : requireDocument(document, event).policy;
  const policy = evolvePolicy(before, event);
  return { policy, day: todayOf(policy, event.metadata.recordedAt) };
}
