import type { FindQuery, IndexValue } from './read-models.ts';

export function isValueList(value: IndexValue | readonly IndexValue[]): value is readonly IndexValue[] {
  return Array.isArray(value);
}

/** Returns whether a condition has an empty list of values. */
export function matchesNothing({ where = {} }: FindQuery): boolean {
  return Object.values(where).some((value) => isValueList(value) && value.length === 0);
}

/** Returns the number of matches that follows from the number of documents on the page; undefined when they must be counted. */
export function countFromPage(
  { limit, offset, after, before, skipCount = false }: FindQuery,
  length: number,
): number | undefined {
  // A page that is not full is the last one.
  const isFromStart = after === undefined && before === undefined;
  const isLast = isFromStart && length < limit && (length > 0 || offset === 0);
  return isLast || skipCount ? offset + length : undefined;
}
