import type { Collection } from 'mongodb';

import type { CountToWrite, StoredCount } from '../read-models.ts';
import { type CountForm, positionText, type StoredForm } from './stored-form.ts';
import type { PreparedWrite } from './write.ts';

/** No key of a document begins with it. */
const PREFIX = 'count ';
/** Greater than all keys with the prefix. */
const END = 'count!';

/** Condition for documents without counts. */
export const NO_COUNT = { number: { $exists: false } } as const;

/** Converts counts to conditional writes. */
export function prepareCounts(counts: readonly CountToWrite[]): readonly PreparedWrite[] {
  return counts.map(({ key, number, position, replaces }) => ({
    stored: { _id: PREFIX + key, position: positionText(position), isParked: false, number },
    replaces: replaces === null ? null : { position: replaces, isParked: false },
  }));
}

/** Returns the counts of these keys that are stored. */
export async function getCounts(
  collection: Collection<StoredForm>,
  keys: readonly string[],
): Promise<readonly StoredCount[]> {
  if (keys.length === 0) return [];
  const ids = keys.map((key) => PREFIX + key);
  return (
    await countsIn(collection)
      .find({ _id: { $in: ids } })
      .toArray()
  ).map(toCount);
}

/** Returns a page of the counts in order of key. */
export async function scanCounts(
  collection: Collection<StoredForm>,
  { after = '', limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<readonly StoredCount[]> {
  const range = countsIn(collection).find({ _id: { $gt: PREFIX + after, $lt: END } });
  return (await range.sort({ _id: 1 }).limit(limit).toArray()).map(toCount);
}

function countsIn(collection: Collection<StoredForm>): Collection<CountForm> {
  return collection as unknown as Collection<CountForm>;
}

function toCount({ _id, number, position }: CountForm): StoredCount {
  return { key: _id.slice(PREFIX.length), number, position: BigInt(position) };
}
