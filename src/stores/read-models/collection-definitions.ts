import type { CollectionDefinition, FindQuery, IndexValue } from './read-models.ts';
import { createHash } from 'node:crypto';

const NAME = /^[a-z][a-z0-9_-]*$/i;

/** Returns the index. @throws when the collection does not declare it */
export function requireIndex(definition: CollectionDefinition, index: string): string {
  if (definition.indexes.includes(index)) return index;
  throw new Error(`The collection ${definition.name} declares no index ${index}`);
}

export function checkDefinitions(definitions: readonly CollectionDefinition[]): void {
  const names = new Set(definitions.map(({ name }) => name));
  if (names.size < definitions.length) throw new Error('A collection can be opened in one version only');
  for (const { name, version, indexes } of definitions) {
    if (!NAME.test(name)) throw new Error(`${name} cannot name a collection`);
    if (!Number.isSafeInteger(version) || version < 1) throw new Error(`${name} has the version ${version}`);
    const folded = new Set(indexes.map((index) => index.toLowerCase()));
    if (folded.size < indexes.length) throw new Error(`Two indexes of ${name} differ by case at most`);
  }
}

const DIGITS = 12;

/**
 * Returns the hash that names the read models of a set of collections. Processes of another version of Surety have
 * other read models, with a leader of their own, and can share the store until they are stopped.
 */
export function hashOf(definitions: readonly CollectionDefinition[]): string {
  const set = definitions.map(({ name, version, indexes, countedBy = [] }) =>
    JSON.stringify([name, version, indexes.toSorted(), countedBy.toSorted()]),
  );
  return createHash('sha256').update(set.toSorted().join('\n')).digest('hex').slice(0, DIGITS);
}

export function isValueList(value: IndexValue | readonly IndexValue[]): value is readonly IndexValue[] {
  return Array.isArray(value);
}

export function matchesNothing({ where = {} }: FindQuery): boolean {
  return Object.values(where).some((value) => isValueList(value) && value.length === 0);
}

/**
 * Returns the number of matches that follows from the number of documents on the page; undefined when they must be
 * counted.
 */
export function countFromPage(
  { limit, offset, after, before, skipCount = false }: FindQuery,
  length: number,
): number | undefined {
  // A page that is not full is the last one.
  const isFromStart = after === undefined && before === undefined;
  const isLast = isFromStart && length < limit && (length > 0 || offset === 0);
  return isLast || skipCount ? offset + length : undefined;
}
