import { z } from 'zod';
import { claimItemSchema, claimSchema } from '../projections/claims/claim-resource.ts';
import { type ClaimDocument, claims } from '../projections/claims/claims.ts';
import { claimSummary, claimSummarySchema } from '../projections/customers/customer-resource.ts';
import { ownedValue } from '../projections/owner.ts';
import { CLAIM_STATUSES } from '../src/domain/claim/stages.ts';
import { Refusal } from '../src/domain/refusals.ts';
import type { StoredDocument } from '../src/read-models/read-models.ts';
import { claimBody, requireContent } from './claim-documents.ts';
import { merchantListSearch, ownerOfList, readCursorPage } from './cursor-lists.ts';
import { documentAt } from './history/past-document.ts';
import { pointInTimeOf, pointInTimeSearch } from './history/point-in-time.ts';
import { dataObject, linkedPaging, readPage } from './lists.ts';
import { claimPath, customerPath, environmentChoice, idFilter, merchantPath } from './parameters.ts';
import { defineQuery } from './query.ts';
import { entityTagOf, getClaimDocument, getCustomerDocument, parseBody, requireReadable } from './resources.ts';

export const getClaim = defineQuery({
  name: 'GetClaim',
  summary:
    'Reads one claim by its id or its reference number, with its documents, as it is, as of a day or as it was known at an instant.',
  pathParameters: claimPath,
  search: z.strictObject({ ...environmentChoice, ...pointInTimeSearch }),
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
  pathParameters: claimPath.extend({
    sha256: z.string().meta({ description: 'SHA-256 of the content, in lower-case hex, as the claim shows it' }),
  }),
  search: z.strictObject(environmentChoice),
  response: z.string().meta({ description: 'The bytes of the document', format: 'binary' }),
  async respond({ path: { id, sha256 }, search }, context) {
    const stored = await getClaimDocument(context, id, search.environment_id);
    const { view } = parseBody(requireReadable(stored, 'claim_not_found')) as ClaimDocument;
    if (!view.documents.some((document) => document.sha256 === sha256))
      throw new Refusal('document_not_found', 'The claim has no such document');
    return { kind: 'blob', etag: `"${sha256}"`, load: async () => await requireContent(sha256, context) };
  },
});

export const listMerchantClaims = defineQuery({
  name: 'ListMerchantClaims',
  summary: 'Lists the claims of a merchant, newest first.',
  pathParameters: merchantPath,
  search: z.strictObject({
    ...merchantListSearch,
    claim_status: z
      .enum(CLAIM_STATUSES, `must be one of: ${CLAIM_STATUSES.join(', ')}`)
      .optional()
      .meta({ description: 'Only claims of this status' }),
    policy_id: idFilter.meta({ description: 'Only claims on this policy' }),
  }),
  paged: true,
  byCursor: true,
  response: z.array(claimItemSchema),
  async respond({ path, search: { limit, after, claim_status, policy_id, test_mode } }, context) {
    const owner = await ownerOfList(context, path.short_code, { test_mode });
    const ownerStatus = claim_status && ownedValue(owner, claim_status);
    const list = {
      list: 'ListMerchantClaims',
      owner,
      filters: { claim_status, policy_id },
      collection: 'claims',
      where: policy_id ? { policy: policy_id, owner } : ownerStatus ? { owner_status: ownerStatus } : { owner },
      matches: ({ indexes }: StoredDocument) => ownerStatus === undefined || indexes['owner_status'] === ownerStatus,
      item: toItem,
    };
    return await readCursorPage(context, list, { limit, after });
  },
});

function toItem(stored: StoredDocument): string {
  const { documents: _, ...item } = (parseBody(stored) as ClaimDocument).view;
  return JSON.stringify(item);
}

export const listCustomerClaims = defineQuery({
  name: 'ListCustomerClaims',
  summary: 'Lists all claims of a customer: open and resolved.',
  pathParameters: customerPath,
  search: z.strictObject(linkedPaging),
  paged: true,
  response: z.array(z.strictObject({ data: z.array(claimSummarySchema) })),
  async respond({ path, search }, context) {
    const { key: customer } = await getCustomerDocument(context, path.id);
    return await readPage(
      context,
      'claims',
      { ...search, where: { customer } },
      (stored) => JSON.stringify(claimSummary(parseBody(stored) as ClaimDocument)),
      dataObject,
    );
  },
});
