import { type ClaimState, claim, claimStream, claimTags } from '#domain/claim/claim.ts';
import { targetOf } from '#domain/reservations.ts';
import type { CommandContext } from '../command.ts';
import { type ExistingStream, requireExisting } from '../shared/require-existing.ts';
import { line, resourceId } from '../shared/fields.ts';
import { isOwn, notFound, otherModeOf } from '../shared/acting-environment.ts';
import { claimReferenceReservation } from './filing.ts';
import { finishClaimPayment, pendingId } from './finish-payment.ts';

type FoundClaim = ExistingStream<ClaimState>;

const CODE = 'claim_not_found';
export const findClaimErrors = [CODE] as const;

/** Names a claim in the input of commands that merchants run too. */
export const claimIdOrReference = line(100).meta({
  description: 'The claim id; with a merchant key also the reference number',
});

/**
 * What the commands that change a claim have in common. A claim of another merchant, of another insurer or of the other
 * mode is not found.
 * A payment that was interrupted is finished before the decision.
 */
export const changeOfClaim = {
  takesIfMatch: true,
  aggregate: claim,
  find: async ({ claim_id: idOrReference }: { readonly claim_id: string }, context: CommandContext) => {
    const stream = await streamOf(context, idOrReference, context.environmentIfAny);
    if (stream === undefined) {
      const other = otherModeOf(context);
      const isThere = (await streamOf(context, idOrReference, other)) !== undefined;
      throw notFound(CODE, context, isThere ? other : undefined);
    }
    const found = await context.loadTarget(claim, stream);
    const { state } = found;
    if (state === undefined || !isOwn(context, state) || !isInsuredBy(context, state))
      throw notFound(CODE, context, state);
    return { ...found, state };
  },
  prepare: async (_input: unknown, context: CommandContext, found: FoundClaim) =>
    await withPaymentFinished(context, found),
  tags: claimTags,
} as const;

/** Returns whether the command may act on a claim of this insurer: the key of an insurer on its own alone. */
function isInsuredBy({ rights }: CommandContext, { insurer }: Pick<ClaimState, 'insurer'>): boolean {
  const providerId = rights?.providerId ?? null;
  return providerId === null || providerId === insurer.id;
}

async function withPaymentFinished(context: CommandContext, found: FoundClaim): Promise<FoundClaim> {
  const payment_id = pendingId(found.state);
  if (payment_id === undefined) return found;
  await context.execute(finishClaimPayment, { claim_id: found.state.claimId, payment_id });
  const current = requireExisting(await context.loadTarget(claim, found.stream), () =>
    notFound(CODE, context, undefined),
  );
  // Meanwhile another payment may have started.
  return await withPaymentFinished(context, current);
}

/** Returns undefined for a reference that the owner does not have, and for any reference without an owner. */
async function streamOf(
  context: CommandContext,
  idOrReference: string,
  owner: Parameters<typeof claimReferenceReservation>[0] | undefined,
): Promise<string | undefined> {
  const id = resourceId.safeParse(idOrReference);
  if (id.success) return claimStream(id.data);
  if (owner === undefined) return undefined;
  const reserved = await context.findReservation(claimReferenceReservation(owner, idOrReference));
  return reserved && targetOf(reserved);
}
