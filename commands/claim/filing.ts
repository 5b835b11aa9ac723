import type { Day } from '#event-sourcing/time.ts';
import { coverageNamed, type IncidentCover, coverOfIncident } from '#domain/policy/claim-payments.ts';
import { coveredRuns } from '#domain/policy/cover.ts';
import type { PolicyState } from '#domain/policy/policy.ts';
import type { Coverage } from '#domain/policy/term.ts';
import { type FieldError, type Refusal, refusalsOf, wrongField } from '#domain/refusals.ts';
import { merchantScope } from '#domain/reservations.ts';
import type { ClaimCoverage } from '#domain/claim/claim-events.ts';
import type { ClaimIds } from '#domain/claim/claim.ts';
import type { Reservation } from '#event-sourcing/executor/command.ts';

const refuse = refusalsOf('incident_not_covered');
export const coverOfFilingErrors = refuse.codes;

/** Returns the ids of a new claim under a policy. */
export function newClaimIds(policy: PolicyState, claimId: string, environmentId: number): ClaimIds {
  const { merchantId, testMode, customerId, policyId, currency } = policy;
  return { claimId, merchantId, environmentId, testMode, customerId, policyId, currency };
}

/**
 * Returns the cover of an incident.
 * @throws {Refusal} the given one, naming `field`, when the policy did not cover the day
 */
export function requireCover(
  policy: PolicyState,
  incidentDate: Day,
  field: string,
  refusal: (detail: string, fields: readonly FieldError[]) => Refusal,
): IncidentCover {
  const cover = coverOfIncident(policy, incidentDate);
  if (cover !== undefined) return cover;
  const message = `an incident on ${incidentDate} is not covered${coverOf(policy)}`;
  throw refusal(`${field}: ${message}`, [{ field, message }]);
}

/** How many periods of cover a refusal names: the last ones. */
const MAX_PERIODS = 3;

function coverOf(policy: PolicyState): string {
  const runs = coveredRuns(policy).slice(-MAX_PERIODS);
  if (runs.length === 0) return ': the policy covers no day';
  return `; the policy covers ${runs.map(({ from, through }) => `${from} through ${through}`).join(' and ')}`;
}

/**
 * Checks the incident of a filing or a revision.
 * @throws {Refusal} also for a day after today
 */
export function coverOfFiling(policy: PolicyState, incidentDate: Day, today: Day, field: string): IncidentCover {
  if (incidentDate > today) {
    const message = 'must not be in the future';
    throw notCovered(`${field}: ${message}`, [{ field, message }]);
  }
  return requireCover(policy, incidentDate, field, notCovered);
}

function notCovered(detail: string, fields: readonly FieldError[]): Refusal {
  return refuse('incident_not_covered', detail, { fields });
}

/**
 * Returns the coverage under which a claim is made: the named one of that day; without a name the only one, if there is
 * one.
 * @throws {Refusal} when the day has no coverage of this name
 */
export function coverageOf(
  { coverages }: IncidentCover,
  name: string | undefined,
  field: string,
): ClaimCoverage | null {
  if (name === undefined)
    return coverages.length === 1 && coverages[0] !== undefined ? coverageFacts(coverages[0]) : null;
  const found = coverageNamed(coverages, name);
  if (found === undefined) throw wrongField(field, 'must be the name of a coverage on the day of the incident');
  return coverageFacts(found);
}

/** Returns what a claim records of a coverage. */
export function coverageFacts({ name, limit, deductible }: Coverage): ClaimCoverage {
  return { name, limit, deductible };
}

/** Returns the reservation of a claim reference, unique per merchant and mode. */
export function claimReferenceReservation(owner: Parameters<typeof merchantScope>[0], reference: string): Reservation {
  return { kind: 'claimReference', scope: merchantScope(owner), value: reference };
}

/** Returns the details that a claim copies from its policy. The claimant is its holder as recorded there. */
export function filingDetails({ contract }: PolicyState) {
  const { merchantShortCode, policyNumber, holder, provider, product, timeZone } = contract;
  const { name, email, phone } = holder;
  return {
    merchantShortCode,
    policyNumber,
    claimant: { name, email, phone },
    insurer: { id: provider.id, name: provider.name },
    product: { name: product.name, type: product.type },
    timeZone,
  };
}
