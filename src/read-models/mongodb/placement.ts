import type { Collection, Db } from 'mongodb';

import { generationOf } from '../generation.ts';
import type { CollectionDefinition } from '../read-models.ts';
import type { Kept } from './stored-form.ts';

const NAME = /^[a-z][a-z0-9_-]*$/i;

/** A collection and what MongoDB calls it. */
export interface Placed extends CollectionDefinition {
  readonly place: string;
}

/** Gives each collection the place that it has as one of these. */
export function placed(definitions: readonly CollectionDefinition[]): readonly Placed[] {
  const generation = generationOf(definitions);
  const end = generation === undefined ? '' : `_${generation}`;
  return definitions.map((definition) => ({ ...definition, place: `${definition.name}_v${definition.version}${end}` }));
}

export function collectionOf(database: Db, { place }: Placed): Collection<Kept> {
  return database.collection<Kept>(place);
}

/** @throws when a collection cannot be kept as it is declared. */
export function checkDefinitions(definitions: readonly CollectionDefinition[]): void {
  const names = new Set(definitions.map(({ name }) => name));
  if (names.size < definitions.length) throw new Error('A collection can be opened in one version only');
  for (const { name, version, indexes } of definitions) {
    if (!NAME.test(name)) throw new Error(`${name} cannot name a collection`);
    if (!Number.isSafeInteger(version) || version < 1) throw new Error(`${name} has the version ${version}`);
    if (new Set(indexes).size < indexes.length) throw new Error(`Two indexes of ${name} have one name`);
  }
}
