import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Checkpoint, Generation, WriteStep } from '#stores/read-models/read-models.ts';
import type { CollectionChanges } from './collection-batch.ts';

const MAX_DOCUMENTS_PER_WRITE = 5_000;

/**
 * Stores the changes of a batch, then the checkpoint. Few documents are stored at once; many are stored step by step,
 * so that requests are served in between.
 * @throws the errors of `Generation.write`; some documents may have been written then
 */
export async function writeChanges(
  generation: Pick<Generation, 'write'>,
  changes: readonly CollectionChanges[],
  checkpoint?: Checkpoint,
): Promise<void> {
  const steps = stepsOf(changes);
  const count = steps.flat().reduce((sum, { documents }) => sum + documents.length, 0);
  if (count <= MAX_DOCUMENTS_PER_WRITE) return await generation.write(steps, checkpoint);
  for (const step of steps) {
    await generation.write([step]);
    await nextTurn();
  }
  await generation.write([], checkpoint);
}

function stepsOf(changes: readonly CollectionChanges[]): readonly WriteStep[] {
  const longest = Math.max(0, ...changes.map(({ documents }) => documents.length));
  return Array.from({ length: Math.ceil(longest / MAX_DOCUMENTS_PER_WRITE) }, (_, index) => {
    const from = index * MAX_DOCUMENTS_PER_WRITE;
    return changes.flatMap((change) => {
      const documents = change.documents.slice(from, from + MAX_DOCUMENTS_PER_WRITE);
      return documents.length === 0 ? [] : [{ collection: change.collection, documents }];
    });
  });
}
