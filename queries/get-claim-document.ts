import { z } from 'zod';
import type { ClaimDocument } from '../projections/claims/claim-document.ts';
import { Refusal } from '../src/domain/refusals.ts';
import { requireContent } from './claim-documents.ts';
import { defineQuery } from './query.ts';
import { getClaimDocument } from './resources.ts';
import { parseBody, requireReadable } from './stored-documents.ts';
import { claimPath, environmentChoice } from './parameters.ts';

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
  async answer({ path: { id, sha256 }, search }, context) {
    const stored = await getClaimDocument(context, id, search.environment_id);
    const { view } = parseBody(requireReadable(stored, 'claim_not_found')) as ClaimDocument;
    if (!view.documents.some((document) => document.sha256 === sha256))
      throw new Refusal('document_not_found', 'The claim has no such document');
    return { kind: 'blob', etag: `"${sha256}"`, load: async () => await requireContent(sha256, context) };
  },
});
