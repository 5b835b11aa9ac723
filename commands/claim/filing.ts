import type { Day } from '../../src/event-sourcing/time.ts';
import { covers, type PolicyState } from '../../src/domain/policy/policy.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { merchantScope } from '../../src/domain/reservations.ts';
import type { CommandContext, Reservation } from '../../src/command-handling/command.ts';

/**
 * Goes on only with an incident that the policy covers: in a term, not after its cancellation.
 * @throws {Refusal} `incident_outside_every_term`, naming `field`
 */
export function checkCovered(policy: PolicyState, incidentDate: Day, field: string): void {
  if (covers(policy, incidentDate)) return;
  const message = `the policy did not cover ${incidentDate}`;
  throw new Refusal('incident_outside_every_term', `${field}: ${message}`, { fields: [{ field, message }] });
}

/** The reservation that holds a claim's reference in the acting merchant's world. */
export function claimReferenceReservation(context: CommandContext, reference: string): Reservation {
  const scope = merchantScope(context.environment.merchantId, context.world);
  return { kind: 'claimReference', scope, value: reference };
}

/** What a claim takes over from its policy as it is on the day of filing. */
export function fromPolicy({ holder, provider, product }: PolicyState) {
  return {
    claimant: { name: holder.name, email: holder.email, phone: holder.phone },
    insurer: provider.name,
    product: { name: product.name, type: product.type },
  };
}
