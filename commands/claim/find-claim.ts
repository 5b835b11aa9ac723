import { type ClaimState, claim, claimStream, claimTags } from '#domain/claim/claim.ts';
import type { ClaimEvent } from '#domain/claim/claim-events.ts';
import { Refusal } from '#domain/refusals.ts';
import { targetOf } from '#domain/reservations.ts';
import type { CommandContext } from '../command.ts';
import { type ExistingStream, requireExisting } from '../shared/require-existing.ts';
import { line, resourceId } from '../shared/fields.ts';
import { isOwn } from '../shared/acting-environment.ts';
import { claimReferenceReservation } from './filing.ts';
import { finishClaimPayment, pendingId } from './payment-commands.ts';

/** Names a claim in the input of commands that merchants run too. */
export const claimIdOrReference = line(100).meta({
  description: 'The claim id; with a merchant key also the reference number',
});

/**
 * What the commands that change a claim have in common. A claim of another merchant or of the other mode is not found. A payment that was
 * interrupted is finished first.
 */
export const changeOfClaim = {
  takesIfMatch: true,
  aggregate: claim,
  find: async ({ claim_id: idOrReference }: { readonly claim_id: string }, context: CommandContext) => {
    const stream = await streamOf(context, idOrReference);
    if (stream === undefined) throw claimNotFound();
    const found = requireExisting(await context.loadTarget(claim, stream), 'claim_not_found', NOT_FOUND);
    if (!isOwn(context, found.state)) throw claimNotFound();
    const current = await withPaymentFinished(context, found);
    context.checkIfMatch(found);
    return current;
  },
  tags: claimTags,
} as const;

async function withPaymentFinished(
  context: CommandContext,
  found: ExistingStream<ClaimState, ClaimEvent>,
): Promise<ExistingStream<ClaimState, ClaimEvent>> {
  const payment_id = pendingId(found.state);
  if (payment_id === undefined) return found;
  await context.execute(finishClaimPayment, { claim_id: found.state.claimId, payment_id });
  const current = requireExisting(await context.loadTarget(claim, found.stream), 'claim_not_found', NOT_FOUND);
  // Meanwhile another payment may have started.
  return await withPaymentFinished(context, current);
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
