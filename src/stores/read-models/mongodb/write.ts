import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import { hasDuplicateKeysOnly } from '../../mongodb/connection.ts';
import { type CollectionDefinition, type DocumentToWrite, StaleDocument } from '../read-models.ts';
import { type StoredForm, sortableText, toStoredForm } from './stored-form.ts';

interface PreparedWrite {
  readonly stored: StoredForm;
  readonly replaces: DocumentToWrite['replaces'];
}

const CHUNK_SIZE = 500;

export function prepareWrites(
  definition: CollectionDefinition,
  documents: readonly DocumentToWrite[],
): readonly PreparedWrite[] {
  return documents.map((document) => ({
    stored: toStoredForm(definition, document),
    replaces: document.replaces,
  }));
}

export function* chunksOf(documents: readonly PreparedWrite[]): Generator<readonly PreparedWrite[]> {
  for (let from = 0; from < documents.length; from += CHUNK_SIZE) yield documents.slice(from, from + CHUNK_SIZE);
}

/**
 * Writes the documents, except those whose `replaces` does not match and whose stored state is as new.
 * @throws {StaleDocument}
 */
export async function writeChunk(
  collection: Collection<StoredForm>,
  definition: CollectionDefinition,
  documents: readonly PreparedWrite[],
): Promise<void> {
  if (await bulkWrite(collection, documents)) return;
  if (await isStale(collection, documents)) throw new StaleDocument(definition.name);
}

/**
 * Returns whether every document was written. A document that does not match its condition does not affect the others.
 */
async function bulkWrite(collection: Collection<StoredForm>, documents: readonly PreparedWrite[]): Promise<boolean> {
  if (documents.length === 0) return true;
  try {
    const { insertedCount, matchedCount, upsertedCount } = await collection.bulkWrite(documents.map(operation), {
      ordered: false,
    });
    return insertedCount + matchedCount + upsertedCount === documents.length;
  } catch (error) {
    if (hasDuplicateKeysOnly(error)) return false;
    throw error;
  }
}

/** Document and position are one MongoDB document, so the write is atomic. */
function operation({ stored, replaces }: PreparedWrite): AnyBulkWriteOperation<StoredForm> {
  if (replaces === null) return { insertOne: { document: stored } };
  const { position, isParked } = replaces;
  return {
    replaceOne: { filter: { _id: stored._id, position: sortableText(position), isParked }, replacement: stored },
  };
}

async function isStale(collection: Collection<StoredForm>, documents: readonly PreparedWrite[]): Promise<boolean> {
  const filter = { _id: { $in: documents.map(({ stored }) => stored._id) } };
  const found = await collection.find(filter).project<Pick<StoredForm, '_id' | 'position'>>({ position: 1 }).toArray();
  const positions = new Map(found.map(({ _id, position }) => [_id, position]));
  return documents.some(({ stored }) => (positions.get(stored._id) ?? '') < stored.position);
}
