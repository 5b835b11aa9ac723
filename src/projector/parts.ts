import type { AnyProjection, Part } from '../../projections/projection.ts';
import { serialiseDocument, type WorkingDocument } from '../../projections/working-document.ts';
import type { StoredDocument } from '../read-models/read-models.ts';

/** Separates the key of a whole from the id of a part. Keys of wholes are ids, which do not contain it. */
const SEPARATOR = '/';

/** Returns the key of the whole of a part. */
export function wholeKeyOf(key: string): string {
  return key.split(SEPARATOR, 1)[0] ?? key;
}

/** Returns the parts that a document has and its state before had not. */
function newParts(projection: AnyProjection, before: unknown, after: unknown): readonly Part[] {
  const partsOf = (document: unknown): readonly Part[] =>
    document === undefined ? [] : (projection.parts?.(document as never) ?? []);
  const known = new Set(partsOf(before).map(({ id }) => id));
  return partsOf(after).filter(({ id }) => !known.has(id));
}

/** Returns the new parts of a document in the form in which they are stored. */
export function newStoredParts(
  projection: AnyProjection,
  { key, stream, document: after }: Pick<WorkingDocument, 'key' | 'stream' | 'document'>,
  before: unknown,
): readonly StoredDocument[] {
  return newParts(projection, before, after).map(({ id, document, ...place }) => {
    const partKey = `${key}${SEPARATOR}${id}`;
    return { key: partKey, ...serialiseDocument(projection, document), stream, ...place, parked: undefined };
  });
}
