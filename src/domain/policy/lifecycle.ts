import { compareTexts } from '../../event-sourcing/identifiers.ts';
import type { Day, Instant } from '../../event-sourcing/time.ts';
import type { EventOf } from '../../event-sourcing/event.ts';
import { dayIn, type TimeZone } from '../values/dates.ts';
import { type Cover, type CoverTerm, lastTerm } from './cover.ts';
import type { PolicyActivated, PolicyEvent } from './policy-events.ts';
import type { ReturnPremium, Term } from './term.ts';

/** A term of a policy, withdrawn or not. */
export interface PolicyTerm extends Term {
  readonly isWithdrawn: boolean;
}

/** How a policy ended before its time. */
export interface Cancellation {
  readonly at: Instant;
  /** Null where an import does not know it. */
  readonly reason: string | null;
  readonly initiator: string;
  readonly returned: readonly ReturnPremium[];
}

/**
 * What changes during the lifecycle of a policy. Commands and projections fold it from the events with the same functions; they
 * differ in how much of a term they need.
 */
export interface Lifecycle<T extends CoverTerm = PolicyTerm> extends Cover<T> {
  readonly status: 'accepted' | 'active' | 'cancelled';
  readonly timeZone: TimeZone;
  /** Whether the product is renewable. A policy that has ended cannot be renewed either. */
  readonly renewable: boolean;
  readonly autoRenew: boolean;
  /** Inspection or certification is needed, so cover begins with ActivatePolicy at the earliest. */
  readonly needsActivation: boolean;
  /** Day of ActivatePolicy; null without it. */
  readonly activatedOn: Day | null;
  readonly cancellation: Cancellation | null;
}

/** The event with which a policy begins. */
export type FirstPolicyEvent = Extract<PolicyEvent, { readonly type: 'PolicyImported' | 'PolicyPurchased' }>;
/** Every event of a policy but its first. */
type LaterPolicyEvent = Exclude<PolicyEvent, FirstPolicyEvent>;
/** Returns what a fold needs of a term. */
type MapTerm<T> = (term: PolicyTerm) => T;

/** Returns the lifecycle at the first event. */
export function firstLifecycle<T extends CoverTerm>(
  { type, data }: FirstPolicyEvent,
  mapTerm: MapTerm<T>,
): Lifecycle<T> {
  const { term, status, timeZone, renewable } = data;
  const isPurchase = type === 'PolicyPurchased';
  return withCover({
    ...{ status, timeZone, renewable },
    // An imported policy never waits for ActivatePolicy, whatever its product says.
    needsActivation: isPurchase && (data.inspectionRequired || data.certificationRequired),
    activatedOn: null,
    coverFrom: null,
    end: null,
    autoRenew: isPurchase && data.autoRenew,
    cancellation: null,
    terms: [mapTerm(toPolicyTerm(term))],
  });
}

/** Returns the lifecycle after a later event. */
export function evolveLifecycle<T extends CoverTerm>(
  before: Lifecycle<T>,
  event: LaterPolicyEvent,
  mapTerm: MapTerm<T>,
): Lifecycle<T> {
  switch (event.type) {
    case 'PolicyTermImported': {
      const { term, status } = event.data;
      return withStatus(withTerm(before, mapTerm(toPolicyTerm(term))), status);
    }
    case 'PolicyRenewed': {
      const { term, autoRenew } = event.data;
      return { ...withTerm(before, mapTerm(toPolicyTerm(term))), autoRenew };
    }
    case 'PolicyActivated':
      return withStatus(activated(before, event.data), 'active');
    case 'TermWithdrawn': {
      const last = lastTerm(before);
      const terms = before.terms.map((term) => (term === last ? { ...term, isWithdrawn: true } : term));
      return { ...withCover({ ...before, terms }), autoRenew: false };
    }
    case 'AutoRenewalSwitched':
      return { ...before, autoRenew: event.data.autoRenew };
    case 'AutoRenewalStopped':
      return { ...before, autoRenew: false };
    case 'PolicyCancelled': {
      const { cancelledAt: at, reason, initiator, returned } = event.data;
      return ended(before, 'cancelled', { at, reason, initiator, returned });
    }
    case 'PolicyDeclined': {
      const { declinedAt: at, reason, returned } = event.data;
      return ended(before, 'declined', { at, reason, initiator: 'admin', returned });
    }
    default:
      return event satisfies never;
  }
}

/** Returns whether an accepted policy waits for ActivatePolicy. */
export function waitsForActivation({ status, coverFrom }: Pick<Lifecycle, 'status' | 'coverFrom'>): boolean {
  return status === 'accepted' && coverFrom === null;
}

function toPolicyTerm(term: Term): PolicyTerm {
  return { ...term, isWithdrawn: false };
}

/** Of two terms of one day, the one recorded first comes first. */
function withTerm<T extends CoverTerm>(before: Lifecycle<T>, added: T): Lifecycle<T> {
  const earlier = before.terms.findLastIndex(({ from }) => from <= added.from);
  return withCover({ ...before, terms: before.terms.toSpliced(earlier + 1, 0, added) });
}

function withCover<T extends CoverTerm>(before: Lifecycle<T>): Lifecycle<T> {
  const first = before.terms.find(({ isWithdrawn }) => !isWithdrawn)?.from ?? null;
  if (!before.needsActivation) return { ...before, coverFrom: first };
  const { activatedOn } = before;
  return { ...before, coverFrom: activatedOn === null || first === null || activatedOn > first ? activatedOn : first };
}

/** A cancellation is final. */
function withStatus<T extends CoverTerm>(before: Lifecycle<T>, status: 'accepted' | 'active'): Lifecycle<T> {
  return before.status === 'cancelled' ? before : { ...before, status };
}

function activated<T extends CoverTerm>(
  before: Lifecycle<T>,
  { cause, effectiveAt, movedTerm }: EventOf<typeof PolicyActivated>['data'],
): Lifecycle<T> {
  const activatedOn = cause === 'back_office' ? effectiveAt : before.activatedOn;
  if (movedTerm === null) return withCover({ ...before, activatedOn });
  const [first, ...others] = before.terms;
  if (first === undefined) throw new Error('a policy always has a term');
  const terms = [{ ...first, ...movedTerm }, ...others].toSorted((a, b) => compareTexts(a.from, b.from));
  return withCover({ ...before, activatedOn, terms });
}

function ended<T extends CoverTerm>(
  before: Lifecycle<T>,
  kind: 'cancelled' | 'declined',
  cancellation: Cancellation,
): Lifecycle<T> {
  const end = { kind, day: dayIn(before.timeZone, cancellation.at) };
  return { ...before, end, cancellation, status: 'cancelled', autoRenew: false };
}
