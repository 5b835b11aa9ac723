import { z } from 'zod';
import type { ClaimDocument } from '../projections/claims/claim-document.ts';
import { claims } from '../projections/claims/claims.ts';
import { claimSchema } from '../projections/claims/claim-resource.ts';
import { claimBody } from './claim-documents.ts';
import { documentAt } from './history/past-document.ts';
import { pointInTimeOf, pointInTimeSearch } from './history/point-in-time.ts';
import { defineQuery } from './query.ts';
import { parseBody, entityTagOf, requireReadable } from './stored-documents.ts';
import { getClaimDocument } from './resources.ts';
import { claimPath, environmentChoice } from './parameters.ts';

export const getClaim = defineQuery({
  name: 'GetClaim',
  summary:
    'Reads one claim by its id or its reference number, with its documents, as it is, as of a day or as it was known at a moment.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: claimPath,
  search: z.strictObject({ ...environmentChoice, ...pointInTimeSearch }),
  paged: false,
  response: claimSchema,
  async answer({ path, search }, context) {
    const pointInTime = await pointInTimeOf(search, context);
    const stored = await getClaimDocument(context, path.id, search.environment_id);
    if (pointInTime !== undefined) {
      const document = await documentAt(context, claims, stored, pointInTime);
      // The view has the hash of every content.
      const identity = JSON.stringify(document.view);
      return { kind: 'resource', body: claimBody(document, context), etag: undefined, identity };
    }
    const document = parseBody(requireReadable(stored, 'claim_not_found')) as ClaimDocument;
    const etag = entityTagOf(context, 'claims', stored);
    return { kind: 'resource', body: claimBody(document, context), etag };
  },
});
