import { z } from 'zod';
import { addClaimDocuments } from '#commands/claim/add-claim-documents.ts';
import { acceptClaimOffer, rejectClaimOffer, withdrawClaim } from '#commands/claim/claim-moves.ts';
import { addClaimNote } from '#commands/claim/revise-claim.ts';
import { submitClaim } from '#commands/claim/submit-claim.ts';
import { ActorLabels } from '#queries/actor-labels.ts';
import { claimBody } from '#queries/uploaded-documents.ts';
import {
  claimView,
  getClaim,
  getUploadedDocument,
  listClaims,
  listMerchantClaims,
  listPolicyClaims,
} from '#queries/claims.ts';
import { getClaimHistory } from '#queries/history/histories.ts';
import type { BodyStream, QueryContext } from '#queries/query.ts';
import type { CommandOutcome } from '#event-sourcing/executor/request.ts';
import type { ClaimEvent } from '#domain/claim/claim-events.ts';
import { claim } from '#domain/claim/claim.ts';
import { stateOf } from '#event-sourcing/aggregate.ts';
import { decode } from '#domain/events.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import type { HttpDependencies } from '../../server/dependencies.ts';
import { commandRoute } from '../handlers/command-route.ts';
import { queryRoute } from '../handlers/query-route.ts';
import { basePathOf } from '../messages/links.ts';
import { type AuthenticatedRoute, routesOf } from '../../server/route.ts';
import { claimSchema } from '#projections/claims/claim-resource.ts';

/** A claim may have 50 MiB of documents, so the response to a command shows their contents only if asked. */
const display = z.strictObject({
  include_blobs: z
    .enum(['true', 'false'], 'must be true or false')
    .optional()
    .meta({ description: '`true` shows the contents of the documents (`blob`), which are left out otherwise' }),
});
const response = { response: claimSchema, display, bodyOf: claimOf };
const addendum = 'Documents are base64 in JSON, or files in `multipart/form-data`.';
/** The member of an input that names the claim. */
const CLAIM = { member: 'claim_id', notFound: 'claim_not_found' } as const;

export const claimRoutes = routesOf<AuthenticatedRoute>('Claims', [
  queryRoute('/api/v1/claims', listClaims),
  queryRoute('/api/v1/policies/:policy_id/claims/', listPolicyClaims),
  queryRoute('/api/v1/merchants/:short_code/claims/', listMerchantClaims),
  queryRoute('/api/v1/claims/:id/', getClaim),
  queryRoute('/api/v1/claims/:id/history/', getClaimHistory),
  queryRoute('/api/v1/claims/:id/documents/:sha256', getUploadedDocument, {
    mediaType: 'application/octet-stream',
  }),
  commandRoute('/api/v1/claims/:id/documents/', {
    command: addClaimDocuments,
    addendum,
    inPath: CLAIM,
    ...response,
  }),
  commandRoute('/api/v1/claims', {
    command: submitClaim,
    addendum,
    exampleForm: {
      policy_id: 'c530ddb5-2b6b-5b7a-ae28-8fa4b289d210',
      policy_number: 'LAG-FXYSYCAQGH',
      claim_details: { claim_type: 'illness', incident_description: 'Broken tooth', claim_amount: '8000.00' },
      claimant_metadata: {
        first_name: 'Chinwe',
        last_name: 'Eze',
        birth_date: '1993-02-03',
        email: 'chinwe.eze@customer.example',
        phone_number: '+2340000001003',
        relationship: 'policy holder',
      },
    },
    ...response,
  }),
  commandRoute('/api/v1/claims/:id/offer/accept/', {
    command: acceptClaimOffer,
    inPath: CLAIM,
    ...response,
  }),
  commandRoute('/api/v1/claims/:id/offer/reject/', {
    command: rejectClaimOffer,
    inPath: CLAIM,
    ...response,
  }),
  commandRoute('/api/v1/claims/:id/withdraw', {
    command: withdrawClaim,
    inPath: CLAIM,
    ...response,
  }),
  commandRoute('/api/v1/claims/:id/notes', { command: addClaimNote, inPath: CLAIM, ...response }),
]);

/** Shows the claim also with a damaged content, because the command was executed. */
async function claimOf(
  { stream, revision }: CommandOutcome,
  { commandPorts, readModels, publicUrl }: HttpDependencies,
  {
    query,
    ...caller
  }: Pick<QueryContext, 'nextTurn' | 'reader' | 'key'> & { readonly query: z.output<typeof display> },
): Promise<string | BodyStream> {
  const { eventStore, records } = commandPorts;
  const events = (await eventStore.readStream(stream)).slice(0, revision + 1).map((raw) => decode(raw));
  const state = stateOf(claim, events as RecordedEvent<ClaimEvent>[]);
  const { reader, nextTurn } = caller;
  const resource = await claimView(
    { ...caller, basePath: basePathOf(publicUrl) },
    new ActorLabels({ reader, readModels }),
    { claim: state },
  );
  return query.include_blobs === 'true' ? claimBody(resource, { records, nextTurn }, 'null') : JSON.stringify(resource);
}
