// Payments of claims, as far as a policy knows them (docs/insurance.md, Claims and End).
import type { Day } from './days.ts';
import { contains, type State, termInForce } from './state.ts';
import type { Coverage, Term } from './timeline.ts';

/** A payment that was not reversed. */
export interface BookedPayment {
  readonly claim: object;
  /** Its number among the payments of the claim. */
  readonly payment: number;
  /** Number of the term of the incident. */
  readonly term: number;
  readonly coverage: string | null;
  readonly incident: Day;
  readonly amount: bigint;
}

interface Payments {
  readonly payments: readonly BookedPayment[];
}

export function hasPaidIn({ payments }: Payments, { number }: Pick<Term, 'number'>): boolean {
  return payments.some(({ term }) => term === number);
}

/**
 * Returns the sum of payments "for incidents of one term together" under a coverage.
 * @param except a claim that does not count
 */
export function paidUnder({ payments }: Payments, term: Term, coverage: string, except?: object): bigint {
  const counted = payments.filter((each) => each.term === term.number && isNamed(each.coverage, coverage));
  return counted.filter(({ claim }) => claim !== except).reduce((sum, { amount }) => sum + amount, 0n);
}

export function isNamed(a: string | null, b: string): boolean {
  return a?.toLowerCase() === b.toLowerCase();
}

/** The term of an incident, and the coverages of its day. */
export interface Place {
  readonly term: Term;
  readonly coverages: readonly Coverage[];
}

/** Returns undefined for a day that is not covered: not in force, or in a first term that a cooling-off took back. */
export function placeOf(
  { state, agreed }: { readonly state: State; readonly agreed: readonly Term[] },
  incident: Day,
): Place | undefined {
  const term = termInForce(state, incident);
  const isVoid = state.end?.rule === 'cooling_off' && term?.number === agreed[0]?.number;
  const period = term?.periods.find((each) => contains(each, incident));
  return term === undefined || period === undefined || isVoid ? undefined : { term, coverages: period.coverages };
}
