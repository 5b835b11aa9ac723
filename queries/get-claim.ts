import { z } from 'zod';
import type { ClaimDocument } from '../projections/claims/claim-document.ts';
import { claims } from '../projections/claims/claims.ts';
import { claimStream } from '../src/domain/claim/claim.ts';
import { claimBody } from './claim-documents.ts';
import { checkKnownAt, knownAtSearch } from './history/known-at.ts';
import { documentKnownAt } from './history/document-history.ts';
import { defineQuery } from './query.ts';
import { parseBody, entityTagOf, requireReadable } from './stored-documents.ts';
import { getClaimDocument } from './resources.ts';
import { claimPath, claimShape, environmentChoice } from './shapes.ts';

export const getClaim = defineQuery({
  name: 'GetClaim',
  summary:
    'Reads one claim by its id or its reference number, with its documents, as it is or as it was known at a moment.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: claimPath,
  search: z.strictObject({ ...environmentChoice, ...knownAtSearch }),
  paged: false,
  response: claimShape,
  async answer({ path, search: { environment_id, known_at } }, context) {
    checkKnownAt(known_at, context);
    const stored = await getClaimDocument(context, path.id, environment_id);
    const { document, streams } =
      known_at === undefined
        ? { document: parseBody(requireReadable(stored, 'claim_not_found')) as ClaimDocument, streams: stored.streams }
        : await documentKnownAt(context, claims, stored, known_at);
    const etag = entityTagOf(context, 'claims', { streams }, claimStream(stored.key));
    return { kind: 'resource', body: claimBody(document, context.records), etag };
  },
});
