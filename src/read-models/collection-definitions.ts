import type { CollectionDefinition } from './read-models.ts';

const NAME = /^[a-z][a-z0-9_-]*$/i;

/** Returns the declared indexes and counts as one text, which must not change within a version. */
export function declaredIndexes({ indexes, countedBy = [] }: CollectionDefinition): string {
  return [...indexes, ...countedBy.map((index) => `count by ${index}`)].sort().join(', ');
}

/** Returns the index. @throws when the collection does not declare it */
export function requireIndex(definition: CollectionDefinition, index: string): string {
  if (definition.indexes.includes(index)) return index;
  throw new Error(`The collection ${definition.name} declares no index ${index}`);
}

/** @throws when a definition is invalid */
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
