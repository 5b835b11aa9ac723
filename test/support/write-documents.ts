import type { DocumentToWrite, ReadModels, ReplacedState, StoredDocument } from '#stores/read-models/read-models.ts';
import type { Position } from '#stores/event-log/event-log.ts';
import type { Fence } from '#stores/read-models/fence.ts';

/** A document to write; without `replaces` it replaces the stored state. */
export type TestDocument = StoredDocument & Partial<Pick<DocumentToWrite, 'replaces'>>;

/** Writes documents of one collection in one step. */
export async function writeDocuments(
  readModels: Pick<ReadModels, 'write' | 'getMany'>,
  collection: string,
  documents: readonly TestDocument[],
  checkpoint: Position,
  fence?: Fence,
): Promise<void> {
  const keys = documents.flatMap(({ key, replaces }) => (replaces === undefined ? [key] : []));
  const stored = new Map<string, ReplacedState>();
  for (const { key, position, parked } of keys.length === 0 ? [] : await readModels.getMany(collection, keys))
    stored.set(key, { position, isParked: parked !== undefined });
  const replacing = documents.map((document) => ({ replaces: stored.get(document.key) ?? null, ...document }));
  await readModels.write([[{ collection, documents: replacing, checkpoint }]], fence);
}
