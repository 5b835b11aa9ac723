import { normalise } from '../../event-sourcing/identifiers.ts';
import type { Day } from '../../event-sourcing/time.ts';
import { type MinorUnits, parseSum } from '../values/money.ts';
import { isCovered, termOn } from './cover.ts';
import type { PolicyState } from './policy.ts';
import { type Coverage, periodOn, type Term } from './term.ts';

type WithPayments = Pick<PolicyState, 'payments'>;

/** Returns whether a payment was made for an incident of the term. */
export function hasPaidIn({ payments }: WithPayments, { termId }: Pick<Term, 'termId'>): boolean {
  return payments.some((payment) => payment.termId === termId);
}

/** Returns the last day of an incident for which a payment was made; undefined without one. */
export function lastPaidIncident({ payments }: WithPayments): Day | undefined {
  const days = payments.map(({ incidentDate }) => incidentDate).sort();
  return days.at(-1);
}

/** Returns what was paid for incidents of a term under a coverage. @param exceptClaim a claim whose payments do not count */
export function paidUnder(
  { payments }: WithPayments,
  { termId }: Pick<Term, 'termId'>,
  coverageName: string,
  exceptClaim?: string,
): MinorUnits {
  const name = normalise(coverageName);
  return payments
    .filter((payment) => payment.termId === termId && payment.claimId !== exceptClaim)
    .filter((payment) => payment.coverageName !== null && normalise(payment.coverageName) === name)
    .reduce((sum, { amount }) => sum + parseSum(amount), 0n);
}

/** Where an incident falls: its term, and the coverages of its day. */
export interface IncidentPlace {
  readonly term: Term;
  readonly coverages: readonly Coverage[];
}

/** Returns the place of an incident; undefined when it is not covered. */
export function placeOf(policy: PolicyState, incidentDate: Day): IncidentPlace | undefined {
  const term = isCovered(policy, incidentDate) ? termOn(policy, incidentDate) : undefined;
  return term && { term, coverages: periodOn(term, incidentDate).coverages };
}

/** Returns the coverage of this name among those of a day; undefined when there is none. */
export function coverageNamed(coverages: readonly Coverage[], name: string): Coverage | undefined {
  return coverages.find((coverage) => normalise(coverage.name) === normalise(name));
}
