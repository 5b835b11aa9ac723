import type { AnyProjection, Part } from '../../projections/projection.ts';
import { serialiseDocument } from '../../projections/working-document.ts';
import type { StoredDocument } from '../read-models/read-models.ts';

/** Separates the key of a whole from the id of a part. Keys of wholes are ids, which do not contain it. */
const SEPARATOR = '/';

/** Returns the key of the whole of a part. */
export function wholeKeyOf(key: string): string {
  return key.split(SEPARATOR, 1)[0] ?? key;
}

/** Returns the parts of a document by their ids. */
export function partsById(projection: AnyProjection, document: unknown): ReadonlyMap<string, Part> {
  const parts = document === undefined ? [] : (projection.parts?.(document as never) ?? []);
  return new Map(parts.map((part) => [part.id, part]));
}

/**
 * Returns the parts that differ between two states of a document, as documents. They name no streams: the whole reflects the events.
 */
export function changedParts(
  projection: AnyProjection,
  key: string,
  before: unknown,
  after: unknown,
): readonly StoredDocument[] {
  if (projection.parts === undefined) return [];
  const stored = partsById(projection, before);
  return [...partsById(projection, after).values()].flatMap(({ id, createdAt, position, document }) => {
    if (stored.get(id)?.position === position) return [];
    const partKey = `${key}${SEPARATOR}${id}`;
    const serialised = serialiseDocument(projection, document);
    return [{ key: partKey, ...serialised, streams: {}, position, createdAt, parked: undefined }];
  });
}
