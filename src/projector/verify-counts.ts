import { setTimeout as pauseFor } from 'node:timers/promises';
import type { AnyProjection } from '../../projections/projection.ts';
import { countKey, type IndexValue, type ReadModels, type StoredCount } from '../read-models/read-models.ts';

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
/** A projector may have written a count and not yet its documents, so differences are compared again after these pauses. */
const PAUSES_MS = [1_000, 1_000, 2_000];

/**
 * Recounts every stored count by its index, and compares the sum over all values of an index with the number of documents, so that no
 * count is missing. It holds one page of counts in memory. It may run beside a projector: what differs is compared again later.
 * @throws {StoreUnavailable}
 */
export async function verifyCounts(
  readModels: CountedStore,
  projections: readonly AnyProjection[],
  pause: (milliseconds: number) => Promise<unknown> = pauseFor,
): Promise<CountDifference[]> {
  let differences: CountDifference[] = [];
  for (const { name, countedBy = [] } of projections) {
    for (const index of countedBy) differences.push(...(await compareSum(readModels, name, index)));
    for await (const { key } of countedBy.length === 0 ? [] : countsOf(name, readModels))
      differences.push(...(await compareCount(readModels, name, key)));
  }
  for (const milliseconds of PAUSES_MS) {
    if (differences.length === 0) break;
    await pause(milliseconds);
    const still: CountDifference[] = [];
    for (const { collection, index, value } of differences) {
      const compare = value === undefined ? compareSum : compareCount;
      still.push(...(await compare(readModels, collection, value === undefined ? index : countKey(index, value))));
    }
    differences = still;
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

/** Compares the sum of the counts of an index with the number of documents; a greater sum is found by the single counts. */
async function compareSum(
  readModels: CountedStore,
  collection: string,
  index: string,
): Promise<readonly CountDifference[]> {
  const all = await readModels.find(collection, { limit: 0, offset: 0 });
  const without = await readModels.find(collection, { where: { [index]: [null] }, limit: 0, offset: 0 });
  const counted = all.count - without.count;
  let stored = 0;
  for await (const { key, number } of countsOf(collection, readModels)) if (indexOf(key) === index) stored += number;
  return stored < counted ? [{ collection, index, value: undefined, stored, counted }] : [];
}

/** Compares one stored count with the number of documents by the index. */
async function compareCount(
  readModels: CountedStore,
  collection: string,
  key: string,
): Promise<readonly CountDifference[]> {
  const [index, value] = JSON.parse(key) as [string, IndexValue];
  const read = async (): Promise<StoredCount | undefined> => (await readModels.getCounts(collection, [key]))[0];
  let before = await read();
  for (let attempts = MAX_ATTEMPTS; ; attempts -= 1) {
    // A list of values is counted by the index and not by the stored count.
    const counted = (await readModels.find(collection, { where: { [index]: [value] }, limit: 0, offset: 0 })).count;
    const after = await read();
    const stored = after?.number ?? 0;
    if (after?.position === before?.position || attempts === 1)
      return stored === counted ? [] : [{ collection, index, value, stored, counted }];
    before = after;
  }
}

function indexOf(key: string): string {
  return (JSON.parse(key) as [string, IndexValue])[0];
}
