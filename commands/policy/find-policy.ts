import { normalise } from '../../src/event-sourcing/identifiers.ts';
import { type PolicyEvent, type PolicyState, policy, policyStream } from '../../src/domain/policy/policy.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { merchantScope, targetOf } from '../../src/domain/reservations.ts';
import type { CommandContext, Loaded, Reservation } from '../../src/command-handling/command.ts';
import { line, resourceId } from '../shared/fields.ts';

/** The two names of a policy in a body; at least one is needed (`policyNamed`). */
export const policyReference = {
  policy_id: resourceId.optional(),
  policy_number: line(255).optional(),
};

export interface PolicyReference {
  readonly policy_id?: string | undefined;
  readonly policy_number?: string | undefined;
}

/** A policy that is there and belongs to the acting merchant and world. */
export type FoundPolicy = Loaded<PolicyState, PolicyEvent> & { readonly state: PolicyState };

/** The reservation that holds a policy's number in the acting merchant's world. */
export function policyNumberReservation(context: CommandContext, policyNumber: string): Reservation {
  const scope = merchantScope(context.environment.merchantId, context.world);
  return { kind: 'policyNumber', scope, value: policyNumber };
}

/**
 * The policy a body names, read as the command's target.
 * @throws {Refusal} `policy_not_found`, also for another merchant's or the other world's; `invalid_request` when id and
 * number do not name the same policy (`decisions`: Policies)
 */
export async function findPolicy(context: CommandContext, reference: PolicyReference): Promise<FoundPolicy> {
  const { policy_id: id, policy_number: number } = reference;
  if (id === undefined) return orNotFound(number === undefined ? undefined : await ofNumber(context, number));
  const byId = await own(context, policyStream(id));
  if (number === undefined) return orNotFound(byId);
  if (byId !== undefined && normalise(byId.state.policyNumber) === normalise(number)) return byId;
  const byNumber = await ofNumber(context, number);
  if (byId === undefined && byNumber === undefined) return orNotFound(undefined);
  const message = 'policy_id and policy_number must name the same policy';
  throw new Refusal('invalid_request', message, {
    fields: [
      { field: 'policy_id', message },
      { field: 'policy_number', message },
    ],
  });
}

async function ofNumber(context: CommandContext, policyNumber: string): Promise<FoundPolicy | undefined> {
  const reserved = await context.findReservation(policyNumberReservation(context, policyNumber));
  return reserved && (await own(context, targetOf(reserved)));
}

/** The policy, or undefined when it is not there, another merchant's or of the other world: nobody learns which. */
async function own(context: CommandContext, stream: string): Promise<FoundPolicy | undefined> {
  const loaded = await context.loadTarget(policy, stream);
  const { state } = loaded;
  const { merchantId, testMode } = context.environment;
  if (state === undefined || state.merchantId !== merchantId || state.testMode !== testMode) return undefined;
  return { ...loaded, state };
}

function orNotFound(found: FoundPolicy | undefined): FoundPolicy {
  if (found === undefined) throw new Refusal('policy_not_found', 'There is no such policy');
  return found;
}
