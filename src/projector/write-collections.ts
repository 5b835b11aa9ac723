import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReadModels, WriteStep } from '../read-models/read-models.ts';
import type { Fence } from '../records/records.ts';
import { type CollectionWrites, MAX_DOCUMENTS_PER_WRITE } from './collection.ts';

/**
 * Stores the writes of several collections after `first`. Few documents are stored at once; many are stored step by step, so that requests
 * are served in between.
 * @throws the errors of `ReadModels.write`; some collections may have been written then
 */
export async function writeCollections(
  readModels: Pick<ReadModels, 'write'>,
  collections: readonly CollectionWrites[],
  fence: Fence | undefined,
  first: WriteStep = [],
): Promise<void> {
  const steps = [first, ...stepsOf(collections)].filter((step) => step.length > 0);
  const count = steps.flat().reduce((sum, { documents }) => sum + documents.length, 0);
  if (count <= MAX_DOCUMENTS_PER_WRITE) {
    if (steps.length > 0) await readModels.write(steps, fence);
  } else {
    for (const step of steps) {
      await readModels.write([step], fence);
      await nextTurn();
    }
  }
  for (const { onStored } of collections) onStored();
}

/** Returns steps with the next write of each collection. */
function stepsOf(collections: readonly CollectionWrites[]): readonly WriteStep[] {
  const length = Math.max(0, ...collections.map(({ writes }) => writes.length));
  return Array.from({ length }, (_, index) => collections.flatMap(({ writes }) => writes.slice(index, index + 1)));
}
