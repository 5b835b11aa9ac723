import { normalise } from '#event-sourcing/identifiers.ts';
import type { Day } from '#event-sourcing/time.ts';
import type { PAYMENT_REFUSALS } from '../claim/stages.ts';
import { formatMoney, type MinorUnits, parseSum } from '../values/money.ts';
import { larger } from '../values/price.ts';
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

/**
 * Returns what was paid for incidents of a term under a coverage.
 * @param exceptClaim a claim whose payments do not count
 */
export function paidUnder(
  { payments }: WithPayments,
  { termId }: Pick<Term, 'termId'>,
  coverageName: string,
  exceptClaim?: string,
): MinorUnits {
  const ofTerm = payments.filter((payment) => payment.termId === termId && payment.claimId !== exceptClaim);
  // Views of terms ask for each coverage.
  if (ofTerm.length === 0) return 0n;
  const name = normalise(coverageName);
  return ofTerm
    .filter((payment) => payment.coverageName !== null && normalise(payment.coverageName) === name)
    .reduce((sum, { amount }) => sum + parseSum(amount), 0n);
}

/** The cover of an incident: its term, and the coverages of its day. */
export interface IncidentCover {
  readonly term: Term;
  readonly coverages: readonly Coverage[];
}

/** Returns the cover of an incident; undefined when there is none. */
export function coverOfIncident(policy: PolicyState, incidentDate: Day): IncidentCover | undefined {
  const term = isCovered(policy, incidentDate) ? termOn(policy, incidentDate) : undefined;
  return term && { term, coverages: periodOn(term, incidentDate).coverages };
}

/** Why a payment cannot be booked. */
export interface PaymentRefusal {
  readonly reason: (typeof PAYMENT_REFUSALS)[number];
  /** What is left of the limit of the coverage; null where the limit is not the reason. */
  readonly limitLeft: string | null;
}

/**
 * Returns why a payment for an incident cannot be booked; undefined when it can.
 * @param coverageName null where the claim names no coverage
 */
export function refusalOfPayment(
  policy: PolicyState,
  {
    incidentDate,
    coverageName,
    amount,
  }: Pick<PolicyState['payments'][number], 'incidentDate' | 'coverageName' | 'amount'>,
): PaymentRefusal | undefined {
  const cover = coverOfIncident(policy, incidentDate);
  if (cover === undefined) return { reason: 'incident_no_longer_covered', limitLeft: null };
  if (coverageName === null) return undefined;
  const coverage = coverageNamed(cover.coverages, coverageName);
  // A change of coverages on the day of the incident can remove one.
  if (coverage === undefined) return { reason: 'incident_no_longer_covered', limitLeft: null };
  if (coverage.limit === null) return undefined;
  const limitLeft = larger(parseSum(coverage.limit) - paidUnder(policy, cover.term, coverageName), 0n);
  return parseSum(amount) > limitLeft ? { reason: 'amount_too_high', limitLeft: formatMoney(limitLeft) } : undefined;
}

/** Returns the coverage of this name among those of a day; undefined when there is none. */
export function coverageNamed(coverages: readonly Coverage[], name: string): Coverage | undefined {
  return coverages.find((coverage) => normalise(coverage.name) === normalise(name));
}
