import { z } from 'zod';
import { type ClaimDocument, claims } from '../projections/claims/claims.ts';
import { claimSchema } from '../projections/claims/claim-resource.ts';
import { Refusal } from '../src/domain/refusals.ts';
import { claimBody, requireContent } from './claim-documents.ts';
import { documentAt } from './history/past-document.ts';
import { pointInTimeOf, pointInTimeSearch } from './history/point-in-time.ts';
import { claimPath, environmentChoice } from './parameters.ts';
import { defineQuery } from './query.ts';
import { getClaimDocument } from './resources.ts';
import { entityTagOf, parseBody, requireReadable } from './stored-documents.ts';

export const getClaim = defineQuery({
  name: 'GetClaim',
  summary:
    'Reads one claim by its id or its reference number, with its documents, as it is, as of a day or as it was known at a moment.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: claimPath,
  search: z.strictObject({ ...environmentChoice, ...pointInTimeSearch }),
  paged: false,
  response: claimSchema,
  async respond({ path, search }, context) {
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

export const getClaimDocumentContent = defineQuery({
  name: 'GetClaimDocument',
  summary: 'Downloads one document of a claim.',
  roles: ['merchant', 'admin', 'auditor'],
  pathParameters: claimPath.extend({
    sha256: z.string().meta({ description: 'SHA-256 of the content, in lower-case hex, as the claim shows it' }),
  }),
  search: z.strictObject(environmentChoice),
  paged: false,
  response: z.string().meta({ description: 'The bytes of the document', format: 'binary' }),
  async respond({ path: { id, sha256 }, search }, context) {
    const stored = await getClaimDocument(context, id, search.environment_id);
    const { view } = parseBody(requireReadable(stored, 'claim_not_found')) as ClaimDocument;
    if (!view.documents.some((document) => document.sha256 === sha256))
      throw new Refusal('document_not_found', 'The claim has no such document');
    return { kind: 'blob', etag: `"${sha256}"`, load: async () => await requireContent(sha256, context) };
  },
});
