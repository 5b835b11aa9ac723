import type { CountToWrite, DocumentToWrite, ReadModels } from '../../src/read-models/read-models.ts';
import type { Position } from '../../src/event-store/event-store.ts';
import type { Fence } from '../../src/records/records.ts';

/** Writes documents and counts of one collection in one step. */
export async function writeDocuments(
  readModels: Pick<ReadModels, 'write'>,
  collection: string,
  documents: readonly DocumentToWrite[],
  checkpoint: Position,
  fence?: Fence,
  counts?: readonly CountToWrite[],
): Promise<void> {
  await readModels.write([[{ collection, documents, checkpoint, ...(counts && { counts }) }]], fence);
}
