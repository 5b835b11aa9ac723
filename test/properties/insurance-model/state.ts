// The state of a policy: its timeline and what was decided about it, now, and as it was known at any point in time.
import { type Day, localDay } from './days.ts';
import type { RefundRule } from './ending.ts';
import type { Term } from './timeline.ts';

export interface End {
  readonly kind: 'cancelled' | 'declined';
  /** "Cover ends with the end of `effective_on`." */
  readonly day: Day;
  readonly decidedOn: Day;
  /** The instant of the decision. */
  readonly at: string;
  readonly initiator: string;
  readonly rule: RefundRule;
}

export interface State {
  /** By first day, then in the order in which they were agreed. */
  readonly terms: readonly Term[];
  /** Needs an ActivatePolicy, and has none. */
  readonly waits: boolean;
  /** Whether it is recorded that cover has begun. */
  readonly isActive: boolean;
  /** No policy renews once an end is recorded; a reinstatement brings it back as it was. */
  readonly autoRenew: boolean;
  readonly end: End | null;
  /** Day of the last change in the middle of a term. */
  readonly changedOn: Day | null;
}

/** When something was recorded, and its business day. */
export interface Recorded {
  readonly at: string;
  readonly day: Day;
}

/** What one event says: terms that it adds, facts of terms that it replaces, and the rest of the state. */
export interface Facts extends Partial<Omit<State, 'terms'>> {
  readonly added?: Term;
  readonly changed?: readonly (Partial<Term> & Pick<Term, 'number'>)[];
}

export interface Entry extends Recorded {
  readonly facts: Facts;
}

export function applyFacts({ terms, ...state }: State, { added, changed = [], ...facts }: Facts): State {
  const all = added === undefined ? terms : [...terms, added];
  const updated = all.map((term) => ({ ...term, ...changed.find(({ number }) => number === term.number) }));
  return { ...state, ...facts, terms: updated.toSorted((a, b) => (a.from < b.from ? -1 : Number(a.from > b.from))) };
}

export function agreedTerms({ terms }: Pick<State, 'terms'>): readonly Term[] {
  return terms.filter(({ isWithdrawn }) => !isWithdrawn);
}

/**
 * "A term has begun when its first day is not after the day, its policy does not wait, it was not withdrawn, and its
 * policy did not end before its first day."
 */
export function hasBegun({ waits, end }: State, { from, isWithdrawn }: Term, day: Day): boolean {
  return from <= day && !waits && !isWithdrawn && !(end !== null && end.day < from);
}

export function contains({ from, through }: Pick<Term, 'from' | 'through'>, day: Day): boolean {
  return from <= day && day <= through;
}

/** Returns the term in force: "a begun term contains the day and the policy did not end on an earlier day". */
export function termInForce(state: State, day: Day): Term | undefined {
  if (state.end !== null && state.end.day < day) return undefined;
  return state.terms.find((term) => contains(term, day) && hasBegun(state, term, day));
}

/** A day and an instant. Without a day, what was recorded by the instant, on the day of the instant. */
export interface PointInTime {
  readonly asOf: Day | null;
  readonly knownAt: string;
}

export type Absent = 'not_known_yet' | 'not_in_force_yet';

/** Returns whether something was recorded by the instant, and its business day is not after the day. */
export function isIn({ at, day }: Recorded, { asOf, knownAt }: PointInTime): boolean {
  return at <= knownAt && (asOf === null || day <= asOf);
}

/** A policy as it was known at an instant about a day. */
export interface PastPolicy {
  readonly state: State;
  /** The day that the view shows. */
  readonly day: Day;
}

/**
 * Returns a policy at a point in time: "the same fold from the event that made the resource and every other event whose
 * `effectiveAt` is not after the day. Terms that begin after the day are left out."
 */
export function policyAt(
  { zone, initial, entries }: { readonly zone: string; readonly initial: State; readonly entries: readonly Entry[] },
  point: PointInTime,
): PastPolicy | Absent {
  const [first, ...others] = entries;
  if (first === undefined || first.at > point.knownAt) return 'not_known_yet';
  const day = point.asOf ?? localDay(point.knownAt, zone);
  const folded = [first, ...others.filter((entry) => isIn(entry, point))];
  const state = folded.reduce((before, { facts }) => applyFacts(before, facts), initial);
  if (point.asOf === null) return { state, day };
  const known = { ...state, terms: state.terms.filter(({ from }) => from <= day) };
  if (!known.terms.some((term) => hasBegun(known, term, day))) return 'not_in_force_yet';
  // "Views with `as_of` judge by the day, with or without a recorded PolicyActivated."
  return { state: { ...known, isActive: true }, day };
}
