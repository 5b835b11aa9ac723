import { insurerIndex, ownerOf } from '#projections/owner.ts';
import { inOtherMode, type OwnedCode, type Refusal, refusalsOf } from '#domain/refusals.ts';
import { normalise, sha256 } from '#event-sourcing/identifiers.ts';
import type { DocumentReader, DocumentView, StoredDocument, View } from '#stores/read-models/read-models.ts';
import { isPlatform, type QueryContext, type Reader } from './query.ts';
import type { EnvironmentDocument } from '#projections/environments/environments.ts';
import type { MerchantDocument } from '#projections/merchants/merchants.ts';

/** What `getPolicyDocument` throws. */
export const POLICY_ERRORS = ['policy_not_found', 'reference_ambiguous'] as const;
/** What `getClaimDocument` throws. */
export const CLAIM_ERRORS = ['claim_not_found', 'reference_ambiguous'] as const;
/** What `getCustomerDocument` throws. */
export const CUSTOMER_ERRORS = ['customer_not_found'] as const;
/** What `getMerchantDocument` and `getOwnMerchantDocument` throw. */
export const MERCHANT_ERRORS = ['merchant_not_found'] as const;
export const PRODUCT_ERRORS = ['product_not_found'] as const;
/** What `getEnvironmentDocument` throws. */
export const ENVIRONMENT_ERRORS = ['environment_not_found'] as const;

const refuse = refusalsOf(
  ...POLICY_ERRORS,
  ...CLAIM_ERRORS,
  ...CUSTOMER_ERRORS,
  ...MERCHANT_ERRORS,
  ...ENVIRONMENT_ERRORS,
  ...PRODUCT_ERRORS,
  'quote_not_found',
  'document_parked',
);
type NotFoundCode = Exclude<(typeof refuse.codes)[number], 'reference_ambiguous' | 'document_parked'>;

/** Returns a customer by its id. @throws {Refusal} when there is none that the reader may see */
export async function getCustomerDocument(context: QueryContext, id: string): Promise<StoredDocument> {
  const stored = await context.readModels.get('customers', id.toLowerCase());
  if (stored !== undefined && (await isVisibleCustomer(context, stored))) return stored;
  throw notVisible(context.reader, 'customer_not_found', stored);
}

/** Returns whether the reader may know of a customer: an insurer of one with a policy of it. */
async function isVisibleCustomer({ reader, readModels }: QueryContext, customer: StoredDocument): Promise<boolean> {
  if (reader.role !== 'insurer') return isVisibleTo(reader, customer);
  const where = { customer: customer.key, ...insuredBy(reader) };
  const { documents } = await readModels.find('policies', { where, skipCount: true, limit: 1, offset: 0 });
  return documents.length > 0;
}

/** Returns the condition that limits policies or claims to those of an insurer, where the reader is one. */
export function insuredBy(reader: Reader): { readonly insurer?: readonly string[] } {
  if (reader.role !== 'insurer') return {};
  return { insurer: [false, true].map((testMode) => insurerIndex(reader.providerId, testMode)) };
}

/**
 * Makes the refusal of a document that the reader does not see. Only its own merchant learns that it is in the other
 * mode.
 */
function notVisible(reader: Reader, code: OwnedCode, document: DocumentView | undefined): Refusal {
  const isInOther = document !== undefined && document.indexes['owner'] === ownerInOtherMode(reader);
  return isInOther && reader.role === 'merchant' ? inOtherMode(code, reader.testMode) : refuse(code);
}

function ownerInOtherMode(reader: Reader): string | undefined {
  return reader.role === 'merchant' ? ownerOfReader({ ...reader, testMode: !reader.testMode }) : undefined;
}

/** Returns a merchant by its short code; every reader may know of every merchant. @throws {Refusal} */
export async function getMerchantDocument(context: QueryContext, shortCode: string): Promise<StoredDocument> {
  const where = { short_code: normalise(shortCode) };
  const { documents } = await context.readModels.find('merchants', { where, limit: 1, offset: 0 });
  return requireVisible(documents[0], 'merchant_not_found', () => true);
}

/** Returns a merchant as the owner of lists. @throws {Refusal} also for another merchant */
export async function getOwnMerchantDocument(context: QueryContext, shortCode: string): Promise<StoredDocument> {
  const merchant = await getMerchantDocument(context, shortCode);
  return requireVisible(merchant, 'merchant_not_found', ({ key }) => isOwn(context.reader, key));
}

/** Returns an environment by its number. @throws {Refusal} also for that of another merchant, and for a parked one */
export async function getEnvironmentDocument(
  { readModels, reader }: QueryContext,
  id: string,
): Promise<ReadableDocument> {
  const stored = await readModels.get('environments', id);
  return requireResource(stored, 'environment_not_found', ({ indexes }) => isOwn(reader, indexes['merchant']));
}

function isOwn(reader: Reader, merchantId: unknown): boolean {
  return isPlatform(reader) || (reader.role === 'merchant' && merchantId === reader.merchantId);
}

/** A collection whose documents are also found by a text that is unique within a merchant and mode only. */
interface Referenced {
  readonly collection: string;
  readonly index: string;
  /** Name of the text, for the detail of `reference_ambiguous`. */
  readonly text: string;
  readonly notFound: OwnedCode;
}

type GetByReference<Document> = (
  context: QueryContext,
  text: string,
  environment: number | undefined,
) => Promise<Document | StoredDocument>;

/** Reads what a query needs of a document. */
type Read<Document> = (readModels: DocumentReader, collection: string, key: string) => Promise<Document | undefined>;

const readState: Read<StoredDocument> = async (readModels, ...given) => await readModels.get(...given);
const readView: Read<DocumentView> = async (readModels, ...given) => await readModels.getView(...given);

const POLICIES: Referenced = {
  collection: 'policies',
  index: 'number',
  text: 'policy number',
  notFound: 'policy_not_found',
};

/**
 * Returns a policy by its id or its number, in any environment or a given one.
 * @throws {Refusal} when there is none that the reader may see, or several
 */
export const getPolicyDocument = getterByReference(POLICIES, readState);

/** Returns the view of a policy as `getPolicyDocument` returns its state. @throws {Refusal} as `getPolicyDocument` */
export const getPolicyView = getterByReference(POLICIES, readView);

/**
 * Returns a claim by its id or its reference number, in any environment or a given one.
 * @throws {Refusal} when there is none that the reader may see, or several
 */
export const getClaimDocument = getterByReference(
  { collection: 'claims', index: 'reference', text: 'reference', notFound: 'claim_not_found' },
  readState,
);

/** The most candidates that a refusal names. */
const MAX_CANDIDATES = 20;

function getterByReference<Document extends DocumentView>(
  { collection, index, text: name, notFound }: Referenced,
  read: Read<Document>,
): GetByReference<Document> {
  return async (context, text, environment) => {
    const { reader, readModels } = context;
    const isVisible = (document: DocumentView): boolean =>
      isVisibleTo(reader, document) && (environment === undefined || document.indexes['environment'] === environment);
    const byId = await read(readModels, collection, text.toLowerCase());
    if (byId !== undefined && isVisible(byId)) return byId;
    const named = { [index]: normalise(text) };
    const where = {
      ...named,
      ...(reader.role === 'merchant' ? { owner: ownerOfReader(reader) } : insuredBy(reader)),
      ...(environment === undefined ? {} : { environment }),
    };
    const { count, documents } = await readModels.find(collection, { where, limit: MAX_CANDIDATES, offset: 0 });
    if (count > 1)
      throw refuse(
        'reference_ambiguous',
        `Several merchants, or the live and the test mode of one, use this ${name}; add ?environment_id=`,
        { members: { candidates: await candidatesOf(context, documents) } },
      );
    const [found] = documents;
    if (found !== undefined && isVisible(found)) return found;
    const owner = ownerInOtherMode(reader);
    if (owner === undefined) throw refuse(notFound);
    const other = await readModels.find(collection, { where: { ...named, owner }, limit: 1, offset: 0 });
    throw notVisible(reader, notFound, other.documents[0] ?? byId);
  };
}

interface ReadableDocument extends StoredDocument {
  readonly body: string;
}

export function ownerOfReader({ merchantId, testMode }: Extract<Reader, { role: 'merchant' }>): string {
  return ownerOf({ merchant_id: merchantId, test_mode: testMode });
}

/**
 * Returns whether a reader may know of a document that belongs to a merchant. A merchant may know of its own documents
 * in its own mode, an insurer of what it insures, the platform of all
 * (`docs/decisions/0010-live-and-test-data-are-separate.md`).
 */
export function isVisibleTo(reader: Reader, { indexes }: Pick<StoredDocument, 'indexes'>): boolean {
  if (isPlatform(reader)) return true;
  if (reader.role === 'insurer') return insuredBy(reader).insurer?.includes(String(indexes['insurer'])) === true;
  return indexes['owner'] === ownerOfReader(reader);
}

/**
 * Returns the document. A document that does not exist and one that is not visible get exactly the same refusal.
 * @throws {Refusal} the given code
 */
function requireVisible(
  document: StoredDocument | undefined,
  code: NotFoundCode,
  isVisible: (document: StoredDocument) => boolean,
): StoredDocument {
  if (document === undefined || !isVisible(document)) throw refuse(code);
  return document;
}

/** Returns the document. @throws {Refusal} when it is parked; the given code when it was removed */
export function requireReadable(document: StoredDocument, code: NotFoundCode): ReadableDocument {
  if (document.parked !== undefined) throw refuse('document_parked');
  if (document.body === undefined) throw refuse(code);
  return document as ReadableDocument;
}

/** Returns the view. @throws {Refusal} when the document is parked; the given code when it was removed */
export function requireView({ parked, view }: DocumentView, code: NotFoundCode): View {
  if (parked !== undefined) throw refuse('document_parked');
  if (view === undefined) throw refuse(code);
  return view;
}

/**
 * Returns the document of a single resource.
 * @throws {Refusal} when it is parked; the given code when it does not exist or is not visible
 */
export function requireResource(
  document: StoredDocument | undefined,
  code: NotFoundCode,
  isVisible: (document: StoredDocument) => boolean,
): ReadableDocument {
  return requireReadable(requireVisible(document, code, isVisible), code);
}

/**
 * Returns the entity tag of the view of a document: projection version and revision, which `If-Match` compares.
 * @param more differs where views of the same revision differ
 */
export function entityTagOf(
  context: QueryContext,
  collection: string,
  { revision }: Pick<StoredDocument, 'revision'>,
  more: string | null = null,
): string {
  const version = context.collections.get(collection);
  if (version === undefined) throw new Error(`there is no collection ${collection}`);
  return `"${version}-${revision}${more === null ? '' : `-${more}`}"`;
}

const HASH_DIGITS = 12;

/** Returns the third part of an entity tag for a view that also depends on the reader or on other streams. */
export function hashOf(body: string): string {
  return sha256(body).slice(0, HASH_DIGITS);
}

export function parseBody(document: Pick<StoredDocument, 'key' | 'body'>): unknown {
  if (document.body === undefined) throw new Error(`${document.key} has no body`);
  return JSON.parse(document.body);
}

type ReadContext = Pick<QueryContext, 'readModels'>;

/** An environment in which a reference is used. */
interface Candidate {
  readonly environment_id: number;
  readonly environment_name: string;
  readonly test_mode: boolean;
  readonly merchant_short_code: string;
  readonly merchant_name: string;
}

/**
 * Returns the environments of policies or claims by their numbers, as far as environments and merchants can be read.
 */
async function candidatesOf(context: ReadContext, documents: readonly StoredDocument[]): Promise<readonly Candidate[]> {
  const numbers = documents.map(({ indexes }) => Number(indexes['environment'])).toSorted((a, b) => a - b);
  const ids = numbers.map(String);
  const environments = await readBodies<EnvironmentDocument>(context, 'environments', ids);
  const merchantIds = [...environments.values()].map(({ merchant_id }) => merchant_id);
  const merchants = await readBodies<MerchantDocument>(context, 'merchants', merchantIds);
  return ids.flatMap((id) => {
    const environment = environments.get(id);
    const merchant = environment && merchants.get(environment.merchant_id);
    if (environment === undefined || merchant === undefined) return [];
    const { environment_name, test_mode } = environment;
    const { short_code: merchant_short_code, name: merchant_name } = merchant;
    return [{ environment_id: Number(id), environment_name, test_mode, merchant_short_code, merchant_name }];
  });
}

/** Returns the documents of a collection that can be read, by their keys. */
export async function readBodies<Document>(
  { readModels }: ReadContext,
  collection: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Document>> {
  const stored = await readModels.getMany(collection, [...new Set(keys)]);
  return new Map(
    stored.flatMap(({ key, body }) => (body === undefined ? [] : [[key, JSON.parse(body) as Document] as const])),
  );
}
