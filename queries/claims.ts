import { z } from 'zod';
import {
  allowedMovesOf,
  claimItemSchema,
  type ClaimResource,
  claimSchema,
} from '#projections/claims/claim-resource.ts';
import { type ClaimDocument, claims } from '#projections/claims/claims.ts';
import { claimSummary, claimSummarySchema } from '#projections/customers/customer-resource.ts';
import { insurerIndex, ownedValue } from '#projections/owner.ts';
import { day } from '#event-sourcing/time.ts';
import { modeOf } from '#domain/values/mode.ts';
import { CLAIM_STATUSES, isClosed, statusOf } from '#domain/claim/stages.ts';
import { refusalsOf } from '#domain/refusals.ts';
import type { StoredDocument } from '#stores/read-models/read-models.ts';
import { ActorLabels } from './actor-labels.ts';
import { claimBody, CONTENT_ERRORS, requireContent } from './uploaded-documents.ts';
import { type CursorList, cursorPaging, LARGE_READ_SIZE, ownerOfList, readCursorPage } from './cursor-lists.ts';
import { documentAt, POINT_IN_TIME_ERRORS } from './history/past-document.ts';
import { describePointInTime, pointInTimeOf, pointInTimeSearch } from './history/point-in-time.ts';
import { describeList, downloadOf } from './list-downloads.ts';
import { dataObject, linkedPaging, readPage, testModeOf, testModeSearch } from './lists.ts';
import { claimPath, customerPath, environmentChoice, idFilter, merchantPath, policyPath } from './parameters.ts';
import { defineQuery, EVERY_ROLE, type QueryContext } from './query.ts';
import {
  CLAIM_ERRORS,
  CUSTOMER_ERRORS,
  entityTagOf,
  getClaimDocument,
  getCustomerDocument,
  getPolicyDocument,
  hashOf,
  insuredBy,
  MERCHANT_ERRORS,
  parseBody,
  POLICY_ERRORS,
  requireReadable,
} from './resources.ts';

export const getClaim = defineQuery({
  name: 'GetClaim',
  roles: EVERY_ROLE,
  summary:
    'Reads one claim by its id or its reference number, with its documents, as it is, as of a day or as it was known at an instant.',
  description: `Returns a claim by id or reference number, with the contents of its documents. References are unique per merchant: a platform key may have to add \`environment_id\`.

${describePointInTime('claim')}`,
  errors: [...CLAIM_ERRORS, ...POINT_IN_TIME_ERRORS, ...CONTENT_ERRORS],
  pathParameters: claimPath,
  search: z.strictObject({
    ...environmentChoice,
    ...pointInTimeSearch,
    include_blobs: z
      .enum(['true', 'false'], 'must be true or false')
      .optional()
      .meta({ description: '`false` leaves out the contents of the documents (`blob`)' }),
  }),
  response: claimSchema,
  async respond({ path, search }, context) {
    const pointInTime = await pointInTimeOf(search, context);
    const stored = await getClaimDocument(context, path.id, search.environment_id);
    const labels = new ActorLabels(context);
    const bodyOf = (claim: ClaimResource) =>
      search.include_blobs === 'false' ? JSON.stringify(claim) : claimBody(claim, context);
    if (pointInTime !== undefined) {
      const past = await labels.readClaimResource(await documentAt(context, claims, stored, pointInTime));
      // The resource has the hash of every content.
      return { kind: 'resource', body: bodyOf(past), etag: undefined, identity: JSON.stringify(past) };
    }
    const claim = await claimView(
      context,
      labels,
      parseBody(requireReadable(stored, 'claim_not_found')) as ClaimDocument,
    );
    // Names change, and what the reader may do, without an event of the claim.
    const ofReader = [claim.note_entries, claim.assignee, claim.allowed_moves];
    const etag = entityTagOf(context, 'claims', stored, hashOf(JSON.stringify(ofReader)));
    return { kind: 'resource', body: bodyOf(claim), etag };
  },
});

/** Returns a claim as the reader sees it. @throws {StoreUnavailable} */
export async function claimView(
  { reader, key }: Pick<QueryContext, 'reader' | 'key'>,
  labels: ActorLabels,
  document: Pick<ClaimDocument, 'claim'>,
): Promise<ClaimResource> {
  const { access, authority } = key;
  const allowed_moves = allowedMovesOf(document.claim, { role: reader.role, access, authority });
  return { ...(await labels.readClaimResource(document)), allowed_moves };
}

const refuse = refusalsOf('document_not_found');

export const getUploadedDocument = defineQuery({
  name: 'GetClaimDocument',
  roles: EVERY_ROLE,
  summary: 'Downloads one document of a claim.',
  description:
    'Downloads the content of one document of a claim, found by the `sha256` that the claim shows, under the name of the document. `Content-Disposition` is always `attachment`. `Content-Type` is that of PDF, PNG and JPEG files, by their first bytes, else `application/octet-stream`.',
  errors: [...CLAIM_ERRORS, ...refuse.codes, ...CONTENT_ERRORS],
  pathParameters: claimPath.extend({
    sha256: z.string().meta({
      description: 'SHA-256 of the content, in lower-case hex, as the claim shows it',
      examples: ['f52d7e90f1ae97194c7c5d83c2dda11b356055a60b76c298c0a1dbf75b67c986'],
    }),
  }),
  search: z.strictObject(environmentChoice),
  response: z.string().meta({ description: 'The bytes of the document', format: 'binary' }),
  async respond({ path: { id, sha256 }, search }, context) {
    const stored = await getClaimDocument(context, id, search.environment_id);
    const { claim } = parseBody(requireReadable(stored, 'claim_not_found')) as ClaimDocument;
    const document = claim.documents.find((entry) => entry.sha256 === sha256);
    if (document === undefined) throw refuse('document_not_found', 'The claim has no such document');
    const { name: fileName, contentType } = document;
    return {
      kind: 'blob',
      fileName,
      contentType,
      etag: `"${sha256}"`,
      load: async () => await requireContent(sha256, context),
    };
  },
});

const claimStatus = z
  .enum([...CLAIM_STATUSES, 'open'], `must be one of: ${[...CLAIM_STATUSES, 'open'].join(', ')}`)
  .optional()
  .meta({ description: 'Only claims of this status; `open`: neither paid, denied nor withdrawn' });

function hasStatus({ claim }: ClaimDocument, wanted: string | undefined): boolean {
  return wanted === undefined || (wanted === 'open' ? !isClosed(claim.stage) : statusOf(claim.stage) === wanted);
}

export const listAllClaims = defineQuery({
  name: 'ListAllClaims',
  summary: 'Lists the claims of all merchants, oldest first.',
  description:
    'The work of a claims handler: claims of all merchants (for an insurer on its policies), oldest first; live ones, or test ones with `test_mode=true`. `next` carries the cursor.',
  errors: [],
  roles: ['insurer', 'claims', 'admin', 'auditor'],
  search: z.strictObject({
    ...cursorPaging,
    ...testModeSearch,
    claim_status: claimStatus,
    older_than: day.optional().meta({ description: 'Only claims filed before this day' }),
    provider_id: idFilter.meta({ description: 'Only claims on policies of this insurer' }),
  }),
  paged: true,
  byCursor: true,
  response: z.array(claimItemSchema),
  async respond({ search: { limit, after, test_mode, ...filters } }, context) {
    const { reader } = context;
    const mode = testModeOf(reader, { test_mode });
    const { claim_status: status, older_than: olderThan, provider_id: provider } = filters;
    const byStatus = status === undefined || status === 'open' ? undefined : ownedValue(modeOf(mode), status);
    const list = {
      list: 'ListAllClaims',
      owner: `${modeOf(mode)}${reader.role === 'insurer' ? ` ${reader.providerId}` : ''}`,
      filters,
      collection: 'claims',
      readSize: LARGE_READ_SIZE,
      where: {
        ...(byStatus === undefined ? { mode } : { mode_status: byStatus }),
        ...(reader.role === 'insurer' && { insurer: insurerIndex(reader.providerId, mode) }),
      },
      oldestFirst: true,
      filter: (documents: readonly StoredDocument[]) =>
        documents.filter((stored) => {
          const document = parseBody(stored) as ClaimDocument;
          return (
            hasStatus(document, status) &&
            (olderThan === undefined || document.claim.filedOn < olderThan) &&
            (provider === undefined || document.claim.insurer.id === provider)
          );
        }),
      items: async (documents: readonly StoredDocument[]) => await itemsOf(context, documents),
    };
    return await readCursorPage(context, list, { limit, after });
  },
});

const merchantFilters = z.strictObject({
  ...testModeSearch,
  claim_status: claimStatus,
  policy_id: idFilter.meta({ description: 'Only claims on this policy' }),
});

export const listMerchantClaims = defineQuery({
  name: 'ListMerchantClaims',
  summary: 'Lists the claims of a merchant, newest first.',
  description: describeList('claims', 'An item has no `documents`.'),
  errors: MERCHANT_ERRORS,
  example: { search: { claim_status: 'paid' } },
  pathParameters: merchantPath,
  search: merchantFilters.extend(cursorPaging),
  paged: true,
  byCursor: true,
  response: z.array(claimItemSchema),
  async respond({ path, search: { limit, after, ...given } }, context) {
    return await readCursorPage(context, await claimsOfMerchant(context, path, given), { limit, after });
  },
  download: downloadOf(merchantFilters, claimItemSchema, claimsOfMerchant),
});

/** @throws {Refusal} as `ownerOfList` */
async function claimsOfMerchant(
  context: QueryContext,
  { short_code }: z.output<typeof merchantPath>,
  { claim_status, policy_id, test_mode }: z.output<typeof merchantFilters>,
): Promise<CursorList> {
  const owner = await ownerOfList(context, short_code, { test_mode });
  const ownerStatus =
    claim_status === undefined || claim_status === 'open' ? undefined : ownedValue(owner, claim_status);
  return {
    list: 'ListMerchantClaims',
    owner,
    filters: { claim_status, policy_id },
    collection: 'claims',
    readSize: LARGE_READ_SIZE,
    where: policy_id ? { policy: policy_id, owner } : ownerStatus ? { owner_status: ownerStatus } : { owner },
    filter: (documents) => documents.filter((stored) => hasStatus(parseBody(stored) as ClaimDocument, claim_status)),
    items: async (documents) => await itemsOf(context, documents),
  };
}

export const listPolicyClaims = defineQuery({
  name: 'ListPolicyClaims',
  roles: EVERY_ROLE,
  summary: 'Lists the claims on a policy, as they are now, newest first.',
  description:
    'The claims on the policy, as they are now, newest first, without `documents`. Follow `next` until it is null: it contains the cursor `after`, which belongs to this list.',
  errors: POLICY_ERRORS,
  pathParameters: policyPath,
  search: z.strictObject({ ...environmentChoice, ...cursorPaging }),
  paged: true,
  byCursor: true,
  response: z.array(claimItemSchema),
  async respond({ path, search: { environment_id, ...page } }, context) {
    const { key: policy } = await getPolicyDocument(context, path.policy_id, environment_id);
    const list = {
      list: 'ListPolicyClaims',
      owner: policy,
      filters: {},
      collection: 'claims',
      readSize: LARGE_READ_SIZE,
      where: { policy },
      items: async (documents: readonly StoredDocument[]) => await itemsOf(context, documents),
    };
    return await readCursorPage(context, list, page);
  },
});

async function itemsOf(context: QueryContext, stored: readonly StoredDocument[]): Promise<readonly string[]> {
  const labels = new ActorLabels(context);
  const items: string[] = [];
  // One after another, because each may have megabytes.
  for (const one of stored) {
    const { documents: _, ...item } = await claimView(context, labels, parseBody(one) as ClaimDocument);
    items.push(JSON.stringify(item));
  }
  return items;
}

export const listCustomerClaims = defineQuery({
  name: 'ListCustomerClaims',
  roles: EVERY_ROLE,
  summary: 'Lists all claims of a customer: open and resolved.',
  description: 'All claims of the customer, open and resolved, in `data` of one object inside `results`.',
  errors: CUSTOMER_ERRORS,
  pathParameters: customerPath,
  search: z.strictObject(linkedPaging),
  paged: true,
  response: z.array(z.strictObject({ data: z.array(claimSummarySchema) })),
  async respond({ path, search }, context) {
    const { key: customer } = await getCustomerDocument(context, path.id);
    return await readPage(
      context,
      'claims',
      { ...search, where: { customer, ...insuredBy(context.reader) } },
      (stored) => JSON.stringify(claimSummary(parseBody(stored) as ClaimDocument)),
      dataObject,
    );
  },
});
