import { addDays, dayAfter, dayIn } from '../values/dates.ts';
import type { Day, Instant } from '#event-sourcing/time.ts';
import type { Contract, PolicyState } from './policy.ts';
import { contains, type DayRange, type Term } from './term.ts';

/** What the rules of cover need of a policy. */
export type Cover = Pick<PolicyState, 'terms' | 'status' | 'waits' | 'end'>;

export const POLICY_STATUSES = ['accepted', 'cancelled', 'active'] as const;
export type PolicyStatus = (typeof POLICY_STATUSES)[number];
type TermState = 'past' | 'in_force' | 'upcoming' | 'withdrawn' | 'cancelled';

/** What a policy gives of cover on a day: `in_force`, or why it gives none. */
export const COVER_STATES = ['not_begun', 'waiting', 'in_force', 'gap', 'expired', 'cancelled'] as const;
export type CoverState = (typeof COVER_STATES)[number];

/** Returns the day of an instant in the zone of a policy. */
export function todayOf(policy: { readonly contract: Pick<Contract, 'timeZone'> }, now: Instant): Day {
  return dayIn(policy.contract.timeZone, now);
}

/** Returns the terms that were not withdrawn. */
export function termsNotWithdrawn({ terms }: Pick<Cover, 'terms'>): readonly Term[] {
  return terms.filter(({ isWithdrawn }) => !isWithdrawn);
}

/** Returns the first term that was not withdrawn, begun or not. */
export function firstTerm({ terms }: Pick<Cover, 'terms'>): Term {
  return existing(terms.find(({ isWithdrawn }) => !isWithdrawn));
}

/** Returns the last term that was not withdrawn, begun or not. */
export function lastTerm({ terms }: Pick<Cover, 'terms'>): Term {
  return existing(terms.findLast(({ isWithdrawn }) => !isWithdrawn));
}

function existing(term: Term | undefined): Term {
  if (term === undefined) throw new Error('a policy always has a term');
  return term;
}

/** Returns the agreed term that contains the day, begun or not. */
export function termOn(policy: Pick<Cover, 'terms'>, day: Day): Term | undefined {
  return termsNotWithdrawn(policy).find((term) => contains(term, day));
}

/** Returns whether a term has begun on the day (docs/insurance.md#policy-term-period). */
export function hasBegun({ waits, end }: Omit<Cover, 'terms'>, term: Term, day: Day): boolean {
  if (term.isWithdrawn || waits || day < term.from) return false;
  return end === null || (end.kind === 'cancelled' && end.day >= term.from);
}

/**
 * Returns whether the policy is in force on the day (docs/insurance.md#policy-term-period). The last day of cover is in
 * force.
 */
export function isInForce(policy: Cover, day: Day): boolean {
  if (policy.end !== null && day > policy.end.day) return false;
  return policy.terms.some((term) => hasBegun(policy, term, day) && contains(term, day));
}

/** Returns the last day on which an ended policy gives cover; null when none of its terms begins by its end. */
export function lastDayOfCover({ terms, end }: Pick<Cover, 'terms' | 'end'>): Day | null {
  if (end === null) return null;
  const last = termsNotWithdrawn({ terms }).findLast(({ from }) => from <= end.day);
  if (last === undefined) return null;
  return end.day < last.through ? end.day : last.through;
}

/**
 * Returns whether an incident on the day is covered: in force, and not in a term that a cancellation in the cooling-off
 * time took back.
 */
export function isCovered(policy: Cover, day: Day): boolean {
  if (!isInForce(policy, day)) return false;
  return policy.end?.refundRule !== 'cooling_off' || !contains(firstTerm(policy), day);
}

/**
 * Returns whether the recorded end is shown on the day: from the day after the last day of cover on, or on this day if
 * the end was decided on it or later.
 */
export function isEndShown(policy: Pick<Cover, 'end'>, day: Day): boolean {
  const first = endShownOn(policy);
  return first !== null && day >= first;
}

/** Returns the recorded status of a policy on a day when cover begins on `from`. */
export function statusAtStart(from: Day, today: Day): PolicyState['status'] {
  return from <= today ? 'active' : 'accepted';
}

/** Returns the status that is shown on the day. */
export function statusOn(policy: Cover, day: Day): PolicyStatus {
  return isEndShown(policy, day) ? 'cancelled' : policy.status;
}

/** Returns whether the policy counts as an active one on the day: it is in force and not shown as cancelled. */
export function countsAsActive(policy: Cover, day: Day): boolean {
  return isInForce(policy, day) && !isEndShown(policy, day);
}

/** Returns the cover of the policy on the day (docs/insurance.md#policy-term-period). */
export function coverOn(policy: Cover, day: Day): CoverState {
  if (isInForce(policy, day)) return 'in_force';
  if (isEndShown(policy, day)) return 'cancelled';
  if (policy.waits) return 'waiting';
  if (!policy.terms.some((term) => hasBegun(policy, term, day))) return 'not_begun';
  const begunLater = policy.terms.some((term) => term.from > day && hasBegun(policy, term, term.from));
  return begunLater ? 'gap' : 'expired';
}

/** Returns the runs of days on which the policy counts as active, by first day, with a gap between two of them. */
export function activeRuns(policy: Cover): readonly DayRange[] {
  return runsOf(policy, (term) => lastActiveDay(policy, term));
}

/** Returns the runs of days whose incidents are covered, by first day, with a gap between two of them. */
export function coveredRuns(policy: Cover): readonly DayRange[] {
  const last = lastDayOfCover(policy);
  const covered = { ...policy, terms: policy.terms.filter(({ from }) => isCovered(policy, from)) };
  return runsOf(covered, ({ through }) => (last !== null && last < through ? last : through));
}

function runsOf(policy: Cover, lastDayIn: (term: Term) => Day): readonly DayRange[] {
  const runs: DayRange[] = [];
  for (const term of policy.terms.filter((one) => hasBegun(policy, one, one.from))) {
    const through = lastDayIn(term);
    if (through < term.from) continue;
    const last = runs.at(-1);
    const next = last === undefined ? null : dayAfter(last.through);
    if (last !== undefined && term.from === next) runs[runs.length - 1] = { from: last.from, through };
    else runs.push({ from: term.from, through });
  }
  return runs;
}

function lastActiveDay(policy: Cover, { through }: Term): Day {
  const shownOn = endShownOn(policy);
  return shownOn === null || shownOn > through ? through : addDays(shownOn, -1);
}

/**
 * Returns the term that views show on the day: the one that contains it, else the last one that has begun, else the
 * first.
 */
export function shownTerm(policy: Cover, day: Day): Term {
  const begun = policy.terms.filter((term) => hasBegun(policy, term, day));
  return begun.find((term) => contains(term, day)) ?? begun.at(-1) ?? firstTerm(policy);
}

/** Returns the state of a term on the day. */
export function termState(policy: Cover, term: Term, day: Day): TermState {
  const { end, waits } = policy;
  if (term.isWithdrawn) return 'withdrawn';
  if (end !== null && (waits || end.kind === 'declined' || end.day < term.from)) return 'cancelled';
  if (waits || day < term.from) return 'upcoming';
  if (end !== null && end.day < day) return 'past';
  return day <= term.through ? 'in_force' : 'past';
}

/** Returns the first day on which the end is shown; null without an end, and when that day cannot be stored. */
function endShownOn({ end }: Pick<Cover, 'end'>): Day | null {
  if (end === null) return null;
  return end.decidedOn >= end.day ? end.day : dayAfter(end.day);
}

/**
 * Returns the days on which the calendar alone changes the view of a policy or the states of its terms: a period
 * begins, a term is over, the end is shown, or the day after the last day of cover comes.
 */
function viewChanges(policy: Cover): readonly (Day | null)[] {
  const begun = policy.terms.filter((term) => hasBegun(policy, term, term.from));
  const ofTerms = begun.flatMap(({ through, periods }) => [dayAfter(through), ...periods.map(({ from }) => from)]);
  return [endShownOn(policy), policy.end === null ? null : dayAfter(policy.end.day), ...ofTerms];
}

/**
 * Returns the last day by `day` on which the calendar alone changed the view of a policy or its terms; null when there
 * is none.
 */
export function lastViewChange(policy: Cover, day: Day): Day | null {
  return viewChanges(policy).reduce(
    (last, one) => (one !== null && one <= day && (last === null || one > last) ? one : last),
    null,
  );
}

/**
 * Returns the first day after `day` on which the calendar alone changes the view of a policy; null when there is none.
 */
export function nextViewChange(policy: Cover, day: Day): Day | null {
  return viewChanges(policy).reduce(
    (next, one) => (one !== null && one > day && (next === null || one < next) ? one : next),
    null,
  );
}
