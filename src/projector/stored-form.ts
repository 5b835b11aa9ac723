import type { AnyProjection } from '../../projections/projection.ts';
import { serialiseDocument, type WorkingDocument } from '../../projections/working-document.ts';
import type { DocumentToWrite, ReplacedState, StoredDocument } from '../read-models/read-models.ts';

/** @throws {SyntaxError} when the stored body is not JSON */
export function fromStored(stored: StoredDocument): WorkingDocument {
  const document: unknown = stored.body === undefined ? undefined : JSON.parse(stored.body);
  const { key, stream, revision, position, createdAt, parked } = stored;
  return { key, document, stream, revision, position, createdAt, parked };
}

/** @throws when the projection's `indexes` throws or the document cannot be serialised */
export function toStored(
  projection: AnyProjection,
  working: WorkingDocument,
  replaces: ReplacedState | null,
): DocumentToWrite {
  const { key, document, stream, revision, position, createdAt, parked } = working;
  const { body, indexes } = serialiseDocument(projection, document);
  return { key, body, stream, revision, position, createdAt, indexes, parked, replaces };
}
