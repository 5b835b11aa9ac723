import type { AnyBulkWriteOperation, Collection } from 'mongodb';

import { StoreUnavailable } from '../../event-store/event-store.ts';
import { hasDuplicateKeysOnly } from '../../mongodb/connection.ts';
import { type CollectionDefinition, type DocumentToWrite, StaleDocument } from '../read-models.ts';
import { type Kept, positionText, toKept } from './stored-form.ts';

/** A document that is ready to be written, and what it replaces. */
interface Ready {
  readonly kept: Kept;
  readonly replaces: DocumentToWrite['replaces'];
}

/** The most documents in one request, so that each is answered soon. */
const CHUNK = 500;
/** How often a document is written anew that met another process making the same one. */
const TRIES = 3;

/**
 * Puts documents into the form in which they are written; of several of one key the last counts.
 * @throws when one of them cannot be written
 */
export function ready(definition: CollectionDefinition, documents: readonly DocumentToWrite[]): readonly Ready[] {
  const latest = new Map<string, Ready>();
  for (const document of documents) {
    latest.set(document.key, { kept: toKept(definition, document), replaces: document.replaces });
  }
  return [...latest.values()];
}

/** The documents in parts that are answered soon. */
export function* partsOf(documents: readonly Ready[]): Generator<readonly Ready[]> {
  for (let from = 0; from < documents.length; from += CHUNK) yield documents.slice(from, from + CHUNK);
}

/** Writes the documents of a part unless something as new stands in their place. @throws {StaleDocument} */
export async function writePart(
  collection: Collection<Kept>,
  definition: CollectionDefinition,
  documents: readonly Ready[],
): Promise<void> {
  const always = documents.filter(({ replaces }) => replaces === undefined);
  const conditional = documents.filter(({ replaces }) => replaces !== undefined);
  for (let tries = TRIES; !(await bulk(collection, always)); tries -= 1) {
    if (tries === 1) throw new StoreUnavailable('MongoDB: others are writing the same documents');
  }
  if (await bulk(collection, conditional)) return;
  if (await isStale(collection, conditional)) throw new StaleDocument(definition.name);
}

/** Whether every document was written. Those that a condition holds back hold back no other. */
async function bulk(collection: Collection<Kept>, documents: readonly Ready[]): Promise<boolean> {
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

/** Position and document are one document of MongoDB, which is written whole or not at all. */
function operation({ kept, replaces }: Ready): AnyBulkWriteOperation<Kept> {
  if (replaces === null) return { insertOne: { document: kept } };
  if (replaces === undefined) return { replaceOne: { filter: { _id: kept._id }, replacement: kept, upsert: true } };
  const { position, isParked } = replaces;
  return { replaceOne: { filter: { _id: kept._id, position: positionText(position), isParked }, replacement: kept } };
}

/** Whether one of the documents is newer than what is stored: it should have been written, and was not. */
async function isStale(collection: Collection<Kept>, documents: readonly Ready[]): Promise<boolean> {
  const filter = { _id: { $in: documents.map(({ kept }) => kept._id) } };
  const stored = await collection.find(filter).project<Pick<Kept, '_id' | 'position'>>({ position: 1 }).toArray();
  const positions = new Map(stored.map(({ _id, position }) => [_id, position]));
  return documents.some(({ kept }) => (positions.get(kept._id) ?? '') < kept.position);
}
