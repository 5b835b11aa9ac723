import type { Day } from '../../src/event-sourcing/time.ts';
import { type CustomerState, customer, customerStream } from '../../src/domain/customer/customer.ts';
import { isCovered } from '../../src/domain/policy/cover.ts';
import type { PolicyState } from '../../src/domain/policy/policy.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { merchantScope } from '../../src/domain/reservations.ts';
import type { ClaimIds } from '../../src/domain/claim/claim.ts';
import type { Reservation } from '../../src/command-handling/command.ts';
import type { CommandContext } from '../command.ts';

/** Returns the ids of a new claim under a policy. */
export function newClaimIds(policy: PolicyState, claimId: string, environmentId: number): ClaimIds {
  const { merchantId, testMode, customerId, policyId } = policy;
  return { claimId, merchantId, environmentId, testMode, customerId, policyId };
}

/**
 * Checks that the policy covers the day of the incident.
 * @param code `incident_not_covered` of a filing; `incident_outside_every_term` of an import
 * @throws {Refusal} the code, naming `field`
 */
export function checkCovered(
  policy: PolicyState,
  incidentDate: Day,
  { code, field }: { readonly code: 'incident_not_covered' | 'incident_outside_every_term'; readonly field: string },
): void {
  if (isCovered(policy, incidentDate)) return;
  const message = `an incident on ${incidentDate} is not covered`;
  throw new Refusal(code, `${field}: ${message}`, { fields: [{ field, message }] });
}

/** Returns the reservation of a claim reference, unique per merchant and mode. */
export function claimReferenceReservation(context: CommandContext, reference: string): Reservation {
  const scope = merchantScope(context.environment);
  return { kind: 'claimReference', scope, value: reference };
}

/** Loads the customer of a policy. The holder of the policy is the customer on the day of the purchase. */
export async function loadCustomer(context: CommandContext, { customerId }: PolicyState): Promise<CustomerState> {
  const { state } = await context.load(customer, customerStream(customerId));
  if (state === undefined) throw new Error(`the customer ${customerId} of a policy does not exist`);
  return state;
}

/** Returns the details that a claim copies from its policy and the customer on the day of filing. */
export function filingDetails(policy: PolicyState, { fullName, email, phone }: CustomerState) {
  const { merchantShortCode, provider, product } = policy;
  return {
    merchantShortCode,
    claimant: { name: fullName, email, phone },
    insurer: provider.name,
    product: { name: product.name, type: product.type },
    timeZone: policy.timeZone,
  };
}
