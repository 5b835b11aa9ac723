import type { Day } from '../../src/event-sourcing/time.ts';
import { covers, type PolicyState } from '../../src/domain/policy/policy.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { merchantScope } from '../../src/domain/reservations.ts';
import type { ClaimIds } from '../../src/domain/claim/claim.ts';
import type { CommandContext, Reservation } from '../../src/command-handling/command.ts';

/** Returns the ids of a new claim under a policy. */
export function newClaimIds(policy: PolicyState, claimId: string, environmentId: number): ClaimIds {
  const { merchantId, testMode, customerId, policyId } = policy;
  return { claimId, merchantId, environmentId, testMode, customerId, policyId };
}

/**
 * Checks that a term of the policy covers the day of the incident, and that the policy was not cancelled before it.
 * @throws {Refusal} `incident_outside_every_term`, naming `field`
 */
export function checkCovered(policy: PolicyState, incidentDate: Day, field: string): void {
  if (covers(policy, incidentDate)) return;
  const message = `the policy did not cover ${incidentDate}`;
  throw new Refusal('incident_outside_every_term', `${field}: ${message}`, { fields: [{ field, message }] });
}

/** Returns the reservation of a claim reference in the merchant's world. */
export function claimReferenceReservation(context: CommandContext, reference: string): Reservation {
  const scope = merchantScope(context.environment.merchantId, context.world);
  return { kind: 'claimReference', scope, value: reference };
}

/** Returns the details that a claim copies from its policy on the day of filing. */
export function fromPolicy({ holder, provider, product }: PolicyState) {
  return {
    claimant: { name: holder.name, email: holder.email, phone: holder.phone },
    insurer: provider.name,
    product: { name: product.name, type: product.type },
  };
}
