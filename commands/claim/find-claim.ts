import { type ClaimState, claim, claimStream } from '../../src/domain/claim/claim.ts';
import type { ClaimEvent } from '../../src/domain/claim/claim-events.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { targetOf } from '../../src/domain/reservations.ts';
import type { CommandContext } from '../command.ts';
import { type ExistingStream, requireExisting } from '../shared/require-existing.ts';
import { line, resourceId } from '../shared/fields.ts';
import { isOwn } from '../shared/acting-environment.ts';
import { claimReferenceReservation } from './filing.ts';

/** Names a claim in the input of commands that merchants run too. */
export const claimKey = line(100).meta({ description: 'The claim id; with a merchant key also the reference number' });

/**
 * Loads a claim as the target of the command.
 * @throws {Refusal} `claim_not_found`, also for a claim of another merchant or of the other mode
 */
export async function findClaim(
  context: CommandContext,
  idOrReference: string,
): Promise<ExistingStream<ClaimState, ClaimEvent>> {
  const stream = await streamOf(context, idOrReference);
  if (stream === undefined) throw claimNotFound();
  const found = requireExisting(await context.loadTarget(claim, stream), 'claim_not_found', NOT_FOUND);
  if (!isOwn(context, found.state)) throw claimNotFound();
  return found;
}

const NOT_FOUND = 'There is no such claim';

function claimNotFound(): Refusal {
  return new Refusal('claim_not_found', NOT_FOUND);
}

/** Returns undefined for an unknown reference, and for any reference outside an environment. */
async function streamOf(context: CommandContext, idOrReference: string): Promise<string | undefined> {
  const id = resourceId.safeParse(idOrReference);
  if (id.success) return claimStream(id.data);
  if (context.environmentIfAny === undefined) return undefined;
  const reserved = await context.findReservation(claimReferenceReservation(context, idOrReference));
  return reserved && targetOf(reserved);
}
