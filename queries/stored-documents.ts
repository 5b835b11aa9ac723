import { ownerOf } from '../projections/owner.ts';
import { sha256 } from '../src/event-sourcing/identifiers.ts';
import type { StoredDocument } from '../src/read-models/read-models.ts';
import { Refusal, type RefusalCode } from '../src/domain/refusals.ts';
import type { QueryContext, Reader } from './query.ts';

/** A document that has a body and is not parked. */
export interface ReadableDocument extends StoredDocument {
  readonly body: string;
}

/** Returns the value of the index `owner` of the documents that a merchant may know of. */
export function ownerOfReader({ merchantId, testMode }: Extract<Reader, { role: 'merchant' }>): string {
  return ownerOf({ merchant_id: merchantId, test_mode: testMode });
}

/**
 * Returns whether a reader may know of a document that belongs to a merchant. A merchant may know of its own documents in its
 * own mode, the platform of all (`docs/decisions/0010-live-and-test-data-are-separate.md`).
 */
export function isVisibleTo(reader: Reader, { indexes }: StoredDocument): boolean {
  if (reader.role !== 'merchant') return true;
  return indexes['owner'] === ownerOfReader(reader);
}

/**
 * Returns the document. A document that does not exist and one that is not visible get exactly the same refusal.
 * @throws {Refusal} the given code
 */
export function requireVisible(
  document: StoredDocument | undefined,
  code: RefusalCode,
  isVisible: (document: StoredDocument) => boolean,
): StoredDocument {
  if (document === undefined || !isVisible(document)) throw new Refusal(code);
  return document;
}

/** Returns the document. @throws {Refusal} `document_parked`; the given code when it was removed */
export function requireReadable(document: StoredDocument, code: RefusalCode): ReadableDocument {
  if (document.parked !== undefined) throw new Refusal('document_parked');
  if (document.body === undefined) throw new Refusal(code);
  return document as ReadableDocument;
}

/**
 * Returns the document of a single resource.
 * @throws {Refusal} `document_parked`; the given code when it does not exist or is not visible
 */
export function requireResource(
  document: StoredDocument | undefined,
  code: RefusalCode,
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

/** Parses the body of a document. Its type is the document type of its projection. */
export function parseBody(document: StoredDocument): unknown {
  if (document.body === undefined) throw new Error(`${document.key} has no body`);
  return JSON.parse(document.body);
}
