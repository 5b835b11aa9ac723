import { createHash } from 'node:crypto';
import type { CollectionDefinition } from './read-models.ts';

const DIGITS = 12;
/** Generation of the versions before generations existed; its collections and its lease have names without a suffix. */
const FIRST_GENERATION = 'd3dc52fefe08';

/**
 * Returns the id of a set of collection versions; undefined for the first one. Each generation has separate collections and a separate
 * leader of the projector, so processes of an older release can share the database with newer ones until they are stopped.
 */
export function generationOf(
  definitions: readonly Pick<CollectionDefinition, 'name' | 'version'>[],
): string | undefined {
  const set = definitions.map(({ name, version }) => `${name} ${version}`).toSorted();
  const generation = createHash('sha256').update(set.join('\n')).digest('hex').slice(0, DIGITS);
  return generation === FIRST_GENERATION ? undefined : generation;
}
