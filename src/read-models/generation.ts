import { createHash } from 'node:crypto';
import type { CollectionDefinition } from './read-models.ts';

const DIGITS = 12;
/** Of the versions that were in use before generations had names: their collections and their lease keep the names they have. */
const UNNAMED = 'd3dc52fefe08';

/**
 * Names a set of collections with their versions; undefined: the oldest one. Where several processes share the read models, each
 * generation has collections of its own, and a projector that leads: so processes of an older version of the program go on as if
 * there were no newer one, until they are stopped.
 */
export function generationOf(
  definitions: readonly Pick<CollectionDefinition, 'name' | 'version'>[],
): string | undefined {
  const set = definitions.map(({ name, version }) => `${name} ${version}`).toSorted();
  const generation = createHash('sha256').update(set.join('\n')).digest('hex').slice(0, DIGITS);
  return generation === UNNAMED ? undefined : generation;
}
