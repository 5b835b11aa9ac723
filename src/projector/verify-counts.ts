import type { AnyProjection } from '../../projections/projection.ts';
import type { IndexValue, ReadModels, StoredCount } from '../read-models/read-models.ts';

export interface CountDifference {
  readonly collection: string;
  readonly index: string;
  /** Undefined: the sum over all values of the index, which differs when a count is missing. */
  readonly value: IndexValue | undefined;
  readonly stored: number;
  readonly counted: number;
}

type CountedStore = Pick<ReadModels, 'find' | 'getCounts' | 'scanCounts'>;

const PAGE = 1_000;
/** Attempts to read a count that a running projector does not change meanwhile. */
const MAX_ATTEMPTS = 20;

/**
 * Recounts every stored count by its index, and compares the sum over all values of an index with the number of documents, so that no
 * count is missing. It holds one page of counts in memory. It may run beside a projector: a count that changes meanwhile is read again.
 * @throws {StoreUnavailable}
 */
export async function verifyCounts(
  readModels: CountedStore,
  projections: readonly AnyProjection[],
): Promise<readonly CountDifference[]> {
  const differences: CountDifference[] = [];
  for (const { name, countedBy = [] } of projections) {
    // Before the counts are read, because a count is written before its documents.
    const counted = new Map<string, number>();
    for (const index of countedBy) counted.set(index, await countDocuments(readModels, name, index));
    const sums = new Map<string, number>();
    for await (const count of countedBy.length === 0 ? [] : countsOf(name, readModels)) {
      const [index, value] = JSON.parse(count.key) as [string, IndexValue];
      sums.set(index, (sums.get(index) ?? 0) + count.number);
      const recounted = await recount(readModels, name, { index, value, count });
      if (recounted.stored !== recounted.counted) differences.push({ collection: name, index, value, ...recounted });
    }
    for (const [index, all] of counted) {
      const stored = sums.get(index) ?? 0;
      if (stored < all) differences.push({ collection: name, index, value: undefined, stored, counted: all });
    }
  }
  return differences;
}

async function* countsOf(collection: string, readModels: CountedStore): AsyncGenerator<StoredCount> {
  for (let after: string | undefined; ; ) {
    const page = await readModels.scanCounts(collection, { after, limit: PAGE });
    yield* page;
    after = page.at(-1)?.key;
    if (page.length < PAGE) return;
  }
}

async function recount(
  readModels: CountedStore,
  collection: string,
  { index, value, count }: { readonly index: string; readonly value: IndexValue; readonly count: StoredCount },
): Promise<{ readonly stored: number; readonly counted: number }> {
  let stored = count;
  for (let attempts = MAX_ATTEMPTS; ; attempts -= 1) {
    // A list of values is counted by the index and not by the stored count.
    const counted = (await readModels.find(collection, { where: { [index]: [value] }, limit: 0, offset: 0 })).count;
    const [after] = await readModels.getCounts(collection, [count.key]);
    if (after === undefined || after.position === stored.position || attempts === 1)
      return { stored: after?.number ?? 0, counted };
    stored = after;
  }
}

/** Returns the number of documents that have a value of the index. */
async function countDocuments(readModels: CountedStore, collection: string, index: string): Promise<number> {
  const all = await readModels.find(collection, { limit: 0, offset: 0 });
  const without = await readModels.find(collection, { where: { [index]: [null] }, limit: 0, offset: 0 });
  return all.count - without.count;
}
