import { z } from 'zod';
import { addClaimDocuments } from '#commands/claim/add-claim-documents.ts';
import { acceptClaimOffer, rejectClaimOffer, withdrawClaim } from '#commands/claim/claim-moves.ts';
import { addClaimNote } from '#commands/claim/revise-claim.ts';
import { claimIdOrReference } from '#commands/claim/find-claim.ts';
import { submitClaim } from '#commands/claim/submit-claim.ts';
import { claimResourceOf } from '#projections/resources.ts';
import { claimBody } from '#queries/claim-documents.ts';
import { getClaim, getClaimDocumentContent, listAllClaims } from '#queries/claims.ts';
import { getClaimHistory } from '#queries/history/histories.ts';
import type { BodyStream, QueryContext } from '#queries/query.ts';
import type { CommandOutcome } from '#event-sourcing/executor/request.ts';
import type { ClaimEvent } from '#domain/claim/claim-events.ts';
import { decode } from '#domain/events.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import type { HttpDependencies } from '../../server/dependencies.ts';
import { commandRoute } from '../handlers/command-route.ts';
import { queryRoute } from '../handlers/query-route.ts';
import type { AuthenticatedRoute } from '../../server/route.ts';
import { claimSchema } from '#projections/claims/claim-resource.ts';

/** A claim may have 50 MiB of documents, so the response to a command shows their contents only if asked. */
const display = z.strictObject({
  include_blobs: z
    .enum(['true', 'false'], 'must be true or false')
    .optional()
    .meta({ description: '`true` shows the contents of the documents (`blob`), which are left out otherwise' }),
});
const response = { response: claimSchema, display, bodyOf: claimOf };
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
  { nextTurn, query }: { readonly nextTurn: QueryContext['nextTurn']; readonly query: z.output<typeof display> },
): Promise<string | BodyStream> {
  const { eventStore, records } = commandPorts;
  const events = (await eventStore.readStream(stream)).slice(0, revision + 1).map((raw) => decode(raw));
  const claim = claimResourceOf(events as RecordedEvent<ClaimEvent>[]);
  return query.include_blobs === 'true' ? claimBody(claim, { records, nextTurn }, 'null') : JSON.stringify(claim);
}
