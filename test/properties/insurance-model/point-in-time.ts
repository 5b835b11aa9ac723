import { formatMoney } from '../../../src/domain/values/money.ts';
import { type Day, firstInstant, later, localDay, plus } from './days.ts';
import type { ModelTerm, PolicyModel, Recorded } from './policy-model.ts';

/** A day and an instant. Without a day, what was recorded by the instant, on the day of the instant. */
export interface PointInTime {
  readonly asOf: Day | null;
  readonly knownAt: string;
}

export type Absent = 'not_known_yet' | 'not_in_force_yet';

/** A term as it was known at an instant about a day. */
export interface PastTerm {
  readonly term: ModelTerm;
  readonly from: Day;
  readonly through: Day;
  readonly isWithdrawn: boolean;
}

/** A policy as it was known at an instant about a day. */
export interface PastPolicy {
  /** The day that the view shows. */
  readonly day: Day;
  /** By first day, then in the order of the log. */
  readonly terms: readonly PastTerm[];
  /** Those that have begun. */
  readonly begun: readonly PastTerm[];
  readonly coverFrom: Day | null;
  readonly end: PolicyModel['end'];
  readonly status: 'accepted' | 'active' | 'cancelled';
}

/** Returns whether something was recorded by the instant, and its business day is not after the day. */
export function isIn({ at, day }: Recorded, { asOf, knownAt }: PointInTime): boolean {
  return at <= knownAt && (asOf === null || day <= asOf);
}

/**
 * Returns what was known of a policy at an instant about a day: of every fact of the model, whether it was recorded by the instant and
 * takes effect by the day. Nothing is replayed.
 */
export function pastPolicy(model: PolicyModel, point: PointInTime): PastPolicy | Absent {
  if (model.recordedAt > point.knownAt) return 'not_known_yet';
  const day = point.asOf ?? localDay(point.knownAt, model.zone);
  const terms = model.terms
    .filter(({ recorded }) => isIn(recorded, point))
    .map((term) => pastTerm(term, point))
    .sort((a, b) => (a.from < b.from ? -1 : Number(a.from > b.from)));
  const hasEnded = model.end !== null && isIn({ at: model.end.recordedAt, day: model.end.day }, point);
  const end = hasEnded ? model.end : null;
  const agreed = terms.filter(({ isWithdrawn }) => !isWithdrawn);
  const begun = agreed.filter(({ from }) => from <= day && (end === null || end.day >= from));
  if (point.asOf !== null && begun.length === 0) return 'not_in_force_yet';
  const coverFrom = coverFromOf(model, agreed[0]?.from ?? null, point);
  const recordedActive = model.activeSince !== null && model.activeSince <= point.knownAt;
  const isActive = point.asOf === null ? recordedActive : coverFrom !== null && coverFrom <= day;
  const status = end !== null ? 'cancelled' : isActive ? 'active' : 'accepted';
  return { day, terms, begun, coverFrom, end, status };
}

function pastTerm(term: ModelTerm, point: PointInTime): PastTerm {
  const isMoved = term.moved !== null && isIn(term.moved, point);
  const dates = isMoved ? term : { from: term.recorded.day, through: term.agreedThrough };
  const isWithdrawn = term.withdrawn !== null && isIn(term.withdrawn, point);
  return { term, from: dates.from, through: dates.through, isWithdrawn };
}

function coverFromOf(model: PolicyModel, first: Day | null, point: PointInTime): Day | null {
  if (first === null || !model.needsActivation) return first;
  return model.activated !== null && isIn(model.activated, point) ? later(first, model.activated.day) : null;
}

/** Returns whether the policy is in force on the day of the view, and not cancelled. */
export function isActiveThen({ begun, coverFrom, day, end }: PastPolicy): boolean {
  return end === null && coverFrom !== null && coverFrom <= day && begun.some(({ through }) => day <= through);
}

/** Returns the fields of a policy that change during its lifecycle, as its view with `as_of` and `known_at` shows them. */
export function expectedPastPolicy(model: PolicyModel, past: PastPolicy) {
  const agreed = past.terms.filter(({ isWithdrawn }) => !isWithdrawn);
  const [shown, last] = [past.begun.at(-1) ?? agreed[0], agreed.at(-1)];
  if (shown === undefined || last === undefined) throw new Error('a policy always has a term');
  const { end, status } = past;
  const renewable = model.isProductRenewable && end === null;
  return {
    effective_from: shown.from,
    effective_through: shown.through,
    premium: formatMoney(shown.term.price.premium),
    coverage: shown.term.coverages.map(({ name }) => name).join(', '),
    renewable,
    renewal_date: renewable ? firstInstant(plus(last.through, 1), model.zone) : null,
    status,
    cancellation_initiator: end?.initiator ?? null,
    cancellation_date: end?.at ?? null,
  };
}
