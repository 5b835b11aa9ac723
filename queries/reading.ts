import type { StoredDocument } from '../src/read-models/read-models.ts';
import { Refusal, type RefusalCode } from '../src/domain/refusals.ts';
import type { QueryContext, Reader } from './query.ts';

/** A document that can be shown. */
export interface ShownDocument extends StoredDocument {
  readonly body: string;
}

/**
 * Whether the reader may know of a document that belongs to a merchant: its own, of its own world. The platform may know of
 * all (`decisions`: Keys, roles, tenancy).
 */
export function owns(reader: Reader, { indexes }: StoredDocument): boolean {
  if (reader.role !== 'merchant') return true;
  return indexes['merchant'] === reader.merchantId && indexes['test_mode'] === reader.testMode;
}

/** What is absent and what is another's are refused alike, to the letter. */
export function absent(code: RefusalCode): Refusal {
  return new Refusal(code);
}

/** The document, if there is one and the reader may know of it. @throws {Refusal} the given code when not */
export function visible(
  document: StoredDocument | undefined,
  code: RefusalCode,
  maySee: (document: StoredDocument) => boolean,
): StoredDocument {
  if (document === undefined || !maySee(document)) throw absent(code);
  return document;
}

/** The document, if it can be shown. @throws {Refusal} the given code when it is no more; `document_parked` */
export function showable(document: StoredDocument, code: RefusalCode): ShownDocument {
  if (document.parked !== undefined) throw new Refusal('document_parked');
  if (document.body === undefined) throw absent(code);
  return document as ShownDocument;
}

/**
 * The document of a single view, if the reader may see it.
 * @throws {Refusal} the given code when there is none for this reader; `document_parked`
 */
export function shown(
  document: StoredDocument | undefined,
  code: RefusalCode,
  maySee: (document: StoredDocument) => boolean,
): ShownDocument {
  return showable(visible(document, code, maySee), code);
}

/** Entity tag of a document that one stream makes; `If-Match` compares its revision. */
export function etagOf(
  context: QueryContext,
  collection: string,
  document: Pick<StoredDocument, 'streams'>,
  stream: string,
): string | undefined {
  const revision = document.streams[stream];
  const version = context.collections.get(collection);
  return revision === undefined || version === undefined ? undefined : `"${version}-${revision}"`;
}

/** The parsed body of a document; its type is that which its projection makes. */
export function contentOf(document: StoredDocument): unknown {
  if (document.body === undefined) throw new Error(`${document.key} has no body`);
  return JSON.parse(document.body);
}
