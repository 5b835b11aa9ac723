import { z } from 'zod';
import { addClaimDocuments } from '../../../commands/claim/add-claim-documents.ts';
import { acceptClaimOffer, rejectClaimOffer, withdrawClaim } from '../../../commands/claim/claim-moves.ts';
import { addClaimNote } from '../../../commands/claim/revise-claim.ts';
import { claimIdOrReference } from '../../../commands/claim/find-claim.ts';
import { submitClaim } from '../../../commands/claim/submit-claim.ts';
import { claimResourceOf } from '../../../projections/resources.ts';
import { claimBody } from '../../../queries/claim-documents.ts';
import { getClaim, getClaimDocumentContent, listAllClaims } from '../../../queries/claims.ts';
import { getClaimHistory } from '../../../queries/history/histories.ts';
import type { BodyStream, QueryContext } from '../../../queries/query.ts';
import type { CommandOutcome } from '../../command-handling/request.ts';
import type { ClaimEvent } from '../../domain/claim/claim-events.ts';
import { decode } from '../../domain/events.ts';
import type { RecordedEvent } from '../../event-sourcing/event.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { commandRoute } from '../handlers/command-route.ts';
import { queryRoute } from '../handlers/query-route.ts';
import type { AuthenticatedRoute } from '../route.ts';
import { claimSchema } from '../../../projections/claims/claim-resource.ts';

const response = { response: claimSchema, bodyOf: claimOf };
const onClaim = (input: z.ZodObject<{ readonly claim_id: z.ZodType }>) => ({
  parameters: z.strictObject({ id: claimIdOrReference }).transform(({ id }) => ({ claim_id: id })),
  body: input.omit({ claim_id: true }),
  notFound: 'claim_not_found' as const,
});

export const claimRoutes: readonly AuthenticatedRoute[] = [
  queryRoute('/api/v1/admin/claims', listAllClaims),
  queryRoute('/api/v1/claims/:id', getClaim),
  queryRoute('/api/v1/claims/:id/history', getClaimHistory),
  queryRoute('/api/v1/claims/:id/documents/:sha256', getClaimDocumentContent),
  commandRoute('/api/v1/claims/:id/documents', {
    command: addClaimDocuments,
    path: onClaim(addClaimDocuments.input),
    ...response,
  }),
  commandRoute('/api/v1/claims', { command: submitClaim, ...response }),
  commandRoute('/api/v1/claims/:id/offer/accept', {
    command: acceptClaimOffer,
    path: onClaim(acceptClaimOffer.input),
    ...response,
  }),
  commandRoute('/api/v1/claims/:id/offer/reject', {
    command: rejectClaimOffer,
    path: onClaim(rejectClaimOffer.input),
    ...response,
  }),
  commandRoute('/api/v1/claims/:id/withdraw', {
    command: withdrawClaim,
    path: onClaim(withdrawClaim.input),
    ...response,
  }),
  commandRoute('/api/v1/claims/:id/notes', { command: addClaimNote, path: onClaim(addClaimNote.input), ...response }),
];

/** Shows the claim also with a damaged content, because the command was executed. */
async function claimOf(
  { stream, revision }: CommandOutcome,
  { commandPorts }: HttpDependencies,
  nextTurn: QueryContext['nextTurn'],
): Promise<string | BodyStream> {
  const { eventStore, records } = commandPorts;
  const events = (await eventStore.readStream(stream)).slice(0, revision + 1).map((raw) => decode(raw));
  return claimBody(claimResourceOf(events as RecordedEvent<ClaimEvent>[]), { records, nextTurn }, 'null');
}
