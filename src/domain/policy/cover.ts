import { addDays, dayAfter, dayIn, type TimeZone } from '../values/dates.ts';
import type { Day, Instant } from '../../event-sourcing/time.ts';

/** What the rules of cover need of a term. */
export interface CoverTerm {
  readonly from: Day;
  readonly through: Day;
  readonly isWithdrawn: boolean;
}

/** What the rules of cover need of a policy. The state of a policy and its document have these members. */
export interface Cover<Term extends CoverTerm = CoverTerm> {
  /** By first day; of two terms of one day, the one recorded first. Never empty, and one is not withdrawn. */
  readonly terms: readonly Term[];
  /** First day of cover; null while the policy waits for ActivatePolicy. */
  readonly coverFrom: Day | null;
  readonly end: { readonly kind: 'cancelled' | 'declined'; readonly day: Day } | null;
}

type TermState = 'past' | 'in_force' | 'upcoming' | 'withdrawn' | 'cancelled';

/** Returns the terms that were not withdrawn. */
export function agreedTerms<Term extends CoverTerm>({ terms }: Cover<Term>): readonly Term[] {
  return terms.filter(({ isWithdrawn }) => !isWithdrawn);
}

/** Returns the last term that was not withdrawn, begun or not. */
export function lastTerm<Term extends CoverTerm>(cover: Pick<Cover<Term>, 'terms'>): Term {
  const last = cover.terms.findLast(({ isWithdrawn }) => !isWithdrawn);
  if (last === undefined) throw new Error('a policy always has a term');
  return last;
}

/** Returns whether the term has begun on the day. A term that was withdrawn, or whose policy ended before its first day, never begins. */
export function hasBegun({ end }: Pick<Cover, 'end'>, term: CoverTerm, day: Day): boolean {
  return term.from <= day && !term.isWithdrawn && (end === null || end.day >= term.from);
}

/** Returns whether the policy is in force on the day. The day of a cancellation is in force. */
export function isInForce(cover: Cover, day: Day): boolean {
  const { coverFrom, end } = cover;
  if (coverFrom === null || day < coverFrom) return false;
  if (end !== null && (end.kind === 'declined' || day > end.day)) return false;
  return cover.terms.some((term) => hasBegun(cover, term, day) && day <= term.through);
}

/** Returns whether the policy is active on the day: in force and not cancelled, not even on that day. */
export function isActiveOn(cover: Cover, day: Day): boolean {
  return cover.end === null && isInForce(cover, day);
}

/** Returns the periods on whose days the policy is in force (`isInForce`), by first day. Between two of them is a day without cover. */
export function coverPeriods(cover: Cover): readonly Pick<CoverTerm, 'from' | 'through'>[] {
  const { coverFrom, end } = cover;
  if (coverFrom === null || end?.kind === 'declined') return [];
  const periods: { readonly from: Day; readonly through: Day }[] = [];
  for (const term of cover.terms.filter((one) => hasBegun(cover, one, one.from))) {
    const from = term.from < coverFrom ? coverFrom : term.from;
    const through = end !== null && end.day < term.through ? end.day : term.through;
    const last = periods.at(-1);
    const next = last === undefined ? null : dayAfter(last.through);
    if (from > through) continue;
    // After 9999-12-31 there is no next day.
    if (last === undefined || (next !== null && from > next)) periods.push({ from, through });
    else if (through > last.through) periods[periods.length - 1] = { from: last.from, through };
  }
  return periods;
}

/** Returns the term that views show on the day: the last one that has begun, or before the first begins the first. */
export function shownTerm<Term extends CoverTerm>(cover: Cover<Term>, day: Day): Term {
  const begun = cover.terms.findLast((term) => hasBegun(cover, term, day));
  return begun ?? agreedTerms(cover)[0] ?? lastTerm(cover);
}

/** Returns the first day after `day` on which views show another term; null when there is none. */
export function nextShownTermDay(cover: Cover, day: Day): Day | null {
  const shown = shownTerm(cover, day);
  const next = cover.terms.find((term) => term.from > day && term !== shown && hasBegun(cover, term, term.from));
  return next?.from ?? null;
}

/** Returns the state of a term on the day. */
export function termState(cover: Cover, term: CoverTerm, day: Day): TermState {
  const { coverFrom, end } = cover;
  if (term.isWithdrawn) return 'withdrawn';
  if (end !== null && (end.kind === 'declined' || end.day < term.from)) return 'cancelled';
  if (coverFrom === null || day < coverFrom || day < term.from) return 'upcoming';
  if (end !== null && end.day < day) return 'past';
  return day <= term.through ? 'in_force' : 'past';
}

/** Returns the last day by `day` on which the calendar alone changed a `termState`: a term began, or an end passed. */
export function lastCalendarChange({ terms, coverFrom, end }: Cover, day: Day): Day | null {
  const ends = [end?.day, ...terms.map(({ through }) => through)].map((last) =>
    last === undefined ? null : dayAfter(last),
  );
  const changes = [coverFrom, ...terms.map(({ from }) => from), ...ends];
  return changes.reduce(
    (last, one) => (one !== null && one <= day && (last === null || one > last) ? one : last),
    null,
  );
}

/** Returns the day of an instant in the policy's zone. */
export function todayOf(policy: { readonly timeZone: TimeZone }, now: Instant): Day {
  return dayIn(policy.timeZone, now);
}

/** Returns the dates of a term of that many days. */
export function termDates(from: Day, days: number): { readonly from: Day; readonly through: Day } {
  return { from, through: addDays(from, days - 1) };
}

/** Checks whether a term of that many days ends before 9999-12-31, so that the day after it can be stored too. */
export function isStorableTerm(from: Day, days: number): boolean {
  const { through } = termDates(from, days);
  return through >= from && dayAfter(through) !== null;
}

/** Returns whether two periods share a day. */
export function overlap(a: Pick<CoverTerm, 'from' | 'through'>, b: Pick<CoverTerm, 'from' | 'through'>): boolean {
  return a.from <= b.through && b.from <= a.through;
}
