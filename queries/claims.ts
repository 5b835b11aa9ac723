import { z } from 'zod';
import {
  allowedMovesOf,
  claimItemSchema,
  type ClaimResource,
  claimSchema,
} from '#projections/claims/claim-resource.ts';
import { type ClaimDocument, claims } from '#projections/claims/claims.ts';
import { claimSummary, claimSummarySchema } from '#projections/customers/customer-resource.ts';
import { insurerIndex, ownedValue, ownerOf } from '#projections/owner.ts';
import { uuid } from '#event-sourcing/identifiers.ts';
import { day } from '#event-sourcing/time.ts';
import { modeOf } from '#domain/values/mode.ts';
import { CLAIM_STATUSES, isClosed, type Stage, STAGES, statusOf } from '#domain/claim/stages.ts';
import { refusalsOf, wrongField } from '#domain/refusals.ts';
import { addDays } from '#domain/values/dates.ts';
import type { StoredDocument } from '#stores/read-models/read-models.ts';
import { ActorLabels } from './actor-labels.ts';
import { claimBody, CONTENT_ERRORS, requireContent } from './uploaded-documents.ts';
import {
  type CursorList,
  cursorPaging,
  LARGE_READ_SIZE,
  ownedRange,
  ownerOfList,
  readCursorPage,
} from './cursor-lists.ts';
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
  getMerchantDocument,
  getOwnMerchantDocument,
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
  { reader, key, basePath }: Pick<QueryContext, 'reader' | 'key' | 'basePath'>,
  labels: ActorLabels,
  document: Pick<ClaimDocument, 'claim'>,
): Promise<ClaimResource> {
  const { access, authority } = key;
  const allowed_moves = allowedMovesOf(document.claim, { role: reader.role, access, authority }, basePath);
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

/** Returns the stages of claims of a status. */
function stagesOf(status: z.output<typeof claimStatus>): readonly Stage[] {
  return STAGES.filter(
    (stage) => status === undefined || (status === 'open' ? !isClosed(stage) : statusOf(stage) === status),
  );
}

const filters = z.strictObject({
  claim_status: claimStatus,
  stage: z
    .enum(STAGES, `must be one of: ${STAGES.join(', ')}`)
    .optional()
    .meta({ description: 'Only claims at this stage, by its name in the timeline' }),
  provider_id: idFilter.meta({ description: 'Only claims on policies of this insurer' }),
  short_code: z.string().optional().meta({ description: 'Only claims of this merchant' }),
  assignee: z
    .string()
    .trim()
    .min(1, 'must not be blank')
    .transform((id) => (uuid.safeParse(id).success ? id.toLowerCase() : id))
    .optional()
    .meta({ description: 'Only claims that are assigned to this person or key, by its id; not for merchants' }),
  older_than: day.optional().meta({ description: 'Only claims filed before this day' }),
  order: z
    .enum(['oldest', 'newest'], 'must be one of: oldest, newest')
    .default('oldest')
    .meta({ description: 'Which come first, by the day of filing' }),
});

export const listClaims = defineQuery({
  name: 'ListClaims',
  summary: 'Lists claims by the day of filing: those that the reader may see.',
  description:
    'The claims of the merchant, of an insurer those on its policies, of the platform those of all merchants; of platform and insurer keys live ones, or test ones with `test_mode=true`. Each is as it is now, without `documents`. A claim whose stage changes during the walk keeps its place. `next` carries the cursor; a page may have fewer than `limit` items, or none, and still a `next`, where no index answers all filters.',
  errors: MERCHANT_ERRORS,
  roles: EVERY_ROLE,
  example: { search: { claim_status: 'open' } },
  search: z.strictObject({ ...cursorPaging, ...testModeSearch, ...filters.shape }),
  paged: true,
  byCursor: true,
  response: z.array(claimItemSchema),
  async respond({ search: { limit, after, test_mode, ...given } }, context) {
    return await readCursorPage(context, await claimsOf(context, given, testModeOf(context.reader, { test_mode })), {
      limit,
      after,
    });
  },
});

/** @throws {Refusal} also for a merchant that the reader does not know */
async function claimsOf(
  context: QueryContext,
  given: z.output<typeof filters>,
  testMode: boolean,
): Promise<CursorList> {
  const { reader } = context;
  const { claim_status, stage, provider_id, short_code, assignee, older_than, order } = given;
  if (assignee !== undefined && reader.role === 'merchant')
    throw wrongField('assignee', 'is for the platform and insurers');
  const mode = modeOf(testMode);
  const provider = reader.role === 'insurer' ? reader.providerId : provider_id;
  const insurer = provider && insurerIndex(provider, testMode);
  const owner = await ownerOfClaims(context, short_code, testMode);
  // The first that is known is expected to find the fewest claims; the filter judges the others.
  const [index, scope] =
    assignee !== undefined
      ? ['assignee_stage', ownedValue(mode, assignee)]
      : owner !== undefined
        ? ['owner_stage', owner]
        : insurer !== undefined
          ? ['insurer_stage', insurer]
          : ['mode_stage', mode];
  const stages = stagesOf(claim_status).filter((one) => stage === undefined || one === stage);
  return {
    list: 'ListClaims',
    owner: `${mode} ${reader.role === 'merchant' ? reader.merchantId : reader.role === 'insurer' ? reader.providerId : ''}`,
    filters: given,
    collection: 'claims',
    readSize: LARGE_READ_SIZE,
    isEmpty: stages.length === 0 || (provider_id !== undefined && provider_id !== provider),
    range: ownedRange(
      index,
      stages.map((one) => ownedValue(scope, one)),
      { through: older_than && addDays(older_than, -1), newestFirst: order === 'newest' },
    ),
    filter: (documents) =>
      documents.filter(
        ({ indexes }) =>
          (owner === undefined || indexes['owner'] === owner) &&
          (insurer === undefined || indexes['insurer'] === insurer),
      ),
    items: async (documents) => await itemsOf(context, documents),
  };
}

/**
 * Returns the merchant and mode whose claims are listed; undefined: of all merchants.
 * @throws {Refusal} for a merchant that the reader may not name
 */
async function ownerOfClaims(
  context: QueryContext,
  shortCode: string | undefined,
  test_mode: boolean,
): Promise<string | undefined> {
  const { reader } = context;
  const get = reader.role === 'insurer' ? getMerchantDocument : getOwnMerchantDocument;
  const merchant = shortCode === undefined ? undefined : await get(context, shortCode);
  const merchant_id = reader.role === 'merchant' ? reader.merchantId : merchant?.key;
  return merchant_id === undefined ? undefined : ownerOf({ merchant_id, test_mode });
}

const merchantFilters = z.strictObject({
  ...testModeSearch,
  claim_status: claimStatus,
  policy_id: idFilter.meta({ description: 'Only claims on this policy' }),
});

export const listMerchantClaims = defineQuery({
  name: 'ListMerchantClaims',
  summary: 'Lists the claims of a merchant, newest first.',
  description: describeList(
    'claims',
    'An item has no `documents`. With `claim_status` they are ordered by the day of filing.',
  ),
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
  const stages = stagesOf(claim_status);
  const range = ownedRange(
    'owner_stage',
    stages.map((stage) => ownedValue(owner, stage)),
    { newestFirst: true },
  );
  return {
    list: 'ListMerchantClaims',
    owner,
    filters: { claim_status, policy_id },
    collection: 'claims',
    readSize: LARGE_READ_SIZE,
    ...(policy_id === undefined && claim_status !== undefined
      ? { range }
      : { where: policy_id === undefined ? { owner } : { policy: policy_id, owner } }),
    filter: (documents) =>
      documents.filter((stored) => stages.includes((parseBody(stored) as ClaimDocument).claim.stage)),
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
